import type { Request } from 'express'
import type { AccessInfo } from '../../catalogue/service-info.ts'
import { callerOf } from '../../http/caller.ts'
import { AccessControl, checkRoles } from '../../resources/access.ts'
import type { Access } from '../../storage/access/rights.ts'
import type { Naming } from '../../storage/types.ts'
import type { Config } from '../config/config.ts'
import { accountsOf, rolesOf } from '../config/sign-in.ts'

/** What the client of a request may see and do; undefined where everybody may do everything. Throws a ConfigError. */
export function openAccess(config: Config, naming: Naming): ((req: Request) => Access) | undefined {
  const access = accessIn(config, naming)
  if (access) checkRoles(config.resources ?? {}, rolesOf(config))
  return access && ((req) => access.accessFor(callerOf(req)))
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

function accessIn(config: Config, naming: Naming): AccessControl | undefined {
  const accounts = accountsOf(config)
  if (!accounts) return undefined
  const [role = ''] = rolesOf(config)
  return new AccessControl({ resources: config.resources ?? {}, naming, accounts: accounts.collection, role })
}
