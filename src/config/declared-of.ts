import { faultsOfStored } from '../core/engine/rules/served-fields.ts'
import { isObject } from '../core/kernel/json/values.ts'
import type { ParsedLogic } from '../wings/logic/parse-logic.ts'
import type { Declared } from '../wings/schemas/declared.ts'
import { accessIn } from './access-in.ts'
import type { BaseConfig } from './config.ts'
import { namingOf } from './naming-of.ts'
import { addedIn, PASSWORD, rolesOf, settingsOf, usersIn } from './resource-config.ts'
import type { OpenedSchemas } from './resources/open-resources.ts'

export function declaredOf(
  config: BaseConfig,
  schemas: OpenedSchemas,
  name: string,
  logic?: ParsedLogic,
): Declared | undefined {
  const computed = Object.keys(logic?.resources.get(name)?.computed ?? {})
  const settings = settingsOf(config, name)
  const users = usersIn(config)
  const isUsers = name === users
  if (!settings && !isUsers && computed.length === 0) return undefined
  const { timestamps, owner, defaults } = addedIn(config, name)
  const { unique, references = {}, ids } = settings ?? {}
  const schema = schemas.get(name)
  const owners = owner !== undefined && users !== undefined ? [[owner, users] as const] : []
  return {
    schema: schema?.json,
    fields: schema?.fields,
    fits: schema && ((row) => isObject(row) && faultsOfStored(schema.rows, row).length === 0),
    unique: unique?.map((fields) => [fields].flat()),
    references: new Map([
      ...owners,
      ...Object.entries(references).map(([field, { resource }]) => [field, resource] as const),
    ]),
    timestamps: timestamps && [timestamps.created, timestamps.updated],
    owner: owner === undefined ? undefined : { field: owner, isAlways: !mayAnyoneCreate(config, name) },
    roles: isUsers ? rolesOf(config) : undefined,
    optional: defaults,
    ids,
    hidden: isUsers ? [PASSWORD] : undefined,
    computed,
  }
}

/** Whether rows may come from anonymous clients: those have no owner. */
function mayAnyoneCreate(config: BaseConfig, name: string): boolean {
  return accessIn(config, namingOf(config))?.describe(name).withoutLogin.includes('create') ?? true
}
