import { DEFAULTS } from '../core/layers/parts/options.ts'
import type { BaseConfig } from './config.ts'
import { namingOf } from './naming-of.ts'
import { type AddedFields, addedFields } from './resources/open-resources.ts'
import type { ResourceSettings } from './resources/resource-settings.ts'

export function settingsOf({ resources = {} }: BaseConfig, name: string): ResourceSettings | undefined {
  return Object.hasOwn(resources, name) ? resources[name] : undefined
}

/** The fields that the server adds to the rows of a resource. */
export function addedIn(config: BaseConfig, name: string): AddedFields {
  return addedFields(name, settingsOf(config, name) ?? {}, namingOf(config), usersIn(config))
}

/** The field of users that responses never contain. */
export const PASSWORD = 'password'

/** The field in which a request that changes the password sends the current one. */
export const CURRENT_PASSWORD = 'currentPassword'

/** The collection of users; undefined without the `accounts` layer. */
export function usersIn({ middlewares, layers }: BaseConfig): string | undefined {
  if (!middlewares.includes('accounts')) return undefined
  return layers.accounts?.collection ?? DEFAULTS.accounts.collection
}

/** The roles that users can have. New users have the first. */
export function rolesOf({ layers }: Pick<BaseConfig, 'layers'>): readonly string[] {
  return layers.accounts?.roles ?? DEFAULTS.accounts.roles
}
