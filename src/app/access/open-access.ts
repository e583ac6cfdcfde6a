import type { Request } from 'express'
import { viewerOf } from '../../http/viewer-of.ts'
import { Access, checkRoles } from '../../resources/access.ts'
import type { AccessInfo } from '../../service-info.ts'
import type { Naming } from '../../storage/types.ts'
import type { View } from '../../storage/view.ts'
import type { Config } from '../config/config.ts'
import { accountsOf, rolesOf } from '../config/sign-in.ts'

/** What the client of a request may see and do; undefined where everybody may do everything. Throws a ConfigError. */
export function openAccess(config: Config, naming: Naming): ((req: Request) => View) | undefined {
  const access = accessIn(config, naming)
  if (access) checkRoles(config.resources ?? {}, rolesOf(config))
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
  const accounts = accountsOf(config)
  if (!accounts) return undefined
  const [role = ''] = rolesOf(config)
  return new Access({ resources: config.resources ?? {}, naming, accounts: accounts.collection, role })
}
