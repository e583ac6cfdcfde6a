import type { Request } from 'express'
import type { Catalog } from '../core/engine/engine.ts'
import type { Access } from '../core/engine/rules/rights.ts'
import type { Naming } from '../core/engine/types.ts'
import { callers } from '../core/kernel/http/request-context.ts'
import type { BaseConfig } from './config.ts'
import { rolesOf, usersIn } from './resource-config.ts'
import { AccessControl } from './resources/access.ts'
import { checkRoles } from './resources/access-rules.ts'

/** The access of a request's client; undefined where there are no accounts. Throws a ConfigError. */
export function openAccess(config: BaseConfig, catalog: Catalog): ((req: Request) => Access) | undefined {
  const access = accessIn(config, catalog.naming)
  if (access) checkRoles(config.resources ?? {}, rolesOf(config))
  access?.checkKeys(catalog)
  return access && ((req) => access.accessFor(callers.get(req)))
}

/** Who may do what with each resource; undefined where there are no accounts. */
export function accessIn(config: BaseConfig, naming: Naming): AccessControl | undefined {
  const accounts = usersIn(config)
  if (accounts === undefined) return undefined
  const [role = ''] = rolesOf(config)
  return new AccessControl({ resources: config.resources ?? {}, naming, accounts, role })
}
