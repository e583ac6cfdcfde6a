import type { Request } from 'express'
import { viewerOf } from '../../http/viewer-of.ts'
import { Access, hasAccess } from '../../resources/access.ts'
import { checkRoles } from '../../resources/check-roles.ts'
import type { AccessInfo } from '../../service-info.ts'
import type { Naming } from '../../storage/types.ts'
import type { View } from '../../storage/view.ts'
import type { Config } from '../config/config.ts'

/**
 * Tells what the client of a request may see and do; undefined where everybody may do everything. Throws a one-line
 * ConfigError where a rule names a role that nobody has.
 */
export function openAccess(config: Config, naming: Naming): ((req: Request) => View) | undefined {
  const access = accessIn(config, naming)
  if (access) checkRoles(config.resources ?? {}, rolesIn(config))
  return access && ((req) => access.viewFor(viewerOf(req)))
}

/** Who may do what with each resource; undefined where everybody may do everything. */
export function describeAccess(
  config: Config,
  naming: Naming,
): ((resource: string) => AccessInfo) | undefined {
  const access = accessIn(config, naming)
  const { resources = {} } = config
  const isDeclared = (name: string) => Object.hasOwn(resources, name) && resources[name]?.access !== undefined
  return access && ((name) => ({ ...access.rulesOf(name), isDeclared: isDeclared(name) }))
}

function accessIn(config: Config, naming: Naming): Access | undefined {
  const { resources = {}, middlewares, hosted } = config
  if (hosted || !(hasAccess(resources) || middlewares.includes('accounts'))) return undefined
  const { collection = 'users' } = accountsIn(config)
  const [role = ''] = rolesIn(config)
  return new Access({ resources, naming, accounts: collection, role })
}

interface Accounts {
  /** The collection of the users. */
  readonly collection?: string
  /** New users have the first. */
  readonly roles?: readonly string[]
}

function accountsIn({ layers }: Config): Accounts {
  return Object(Reflect.get(layers, 'accounts'))
}

function rolesIn(config: Config): readonly string[] {
  const { roles = [] } = accountsIn(config)
  return roles.length > 0 ? roles : ['user', 'admin']
}
