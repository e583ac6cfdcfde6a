import type { Request } from 'express'
import { viewerOf } from '../../http/viewer-of.ts'
import { Access, hasAccess } from '../../resources/access.ts'
import type { Naming } from '../../storage/types.ts'
import type { View } from '../../storage/view.ts'
import type { Config } from '../config/config.ts'

/** Tells what the client of a request may see and do; undefined where everybody may do everything. */
export function openAccess(config: Config, naming: Naming): ((req: Request) => View) | undefined {
  const access = accessIn(config, naming)
  return access && ((req) => access.viewFor(viewerOf(req)))
}

/** Who may do what; undefined where everybody may do everything. */
export function accessIn(config: Config, naming: Naming = config): Access | undefined {
  const { resources = {}, middlewares, hosted } = config
  if (hosted || !(hasAccess(resources) || middlewares.includes('accounts'))) return undefined
  return new Access({ resources, naming, ...accountsOf(config) })
}

interface Accounts {
  /** The collection of the users. */
  readonly accounts: string
  /** What a new user is. */
  readonly role: string
}

function accountsOf({ layers }: Config): Accounts {
  const { collection, roles }: { collection?: unknown; roles?: unknown } = Object(
    Reflect.get(layers, 'accounts'),
  )
  const [role]: unknown[] = Array.isArray(roles) ? roles : []
  return {
    accounts: typeof collection === 'string' ? collection : 'users',
    role: typeof role === 'string' ? role : 'user',
  }
}
