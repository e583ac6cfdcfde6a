import type { Declared } from '../../../schema/declared.ts'
import type { Enforced } from '../../../schema/openapi/settings.ts'
import type { ParsedLogic } from '../../../wings/logic/parse-logic.ts'
import type { Config } from '../../config/config.ts'
import { addedIn, PASSWORD, rolesOf, settingsOf, usersIn } from '../../config/resource-config.ts'
import { faultsOfStored } from '../../engine/rules/served-fields.ts'
import { isObject } from '../../kernel/json/values.ts'
import type { OpenedSchemas } from '../../resources/open-resources.ts'
import { accessIn } from './client-access.ts'

export function declaredOf(
  config: Config,
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
function mayAnyoneCreate(config: Config, name: string): boolean {
  return accessIn(config, config)?.describe(name).withoutLogin.includes('create') ?? true
}

export function enforcedIn(config: Config): (name: string) => Enforced {
  const held = undeletable(config.resources ?? {})
  return (name) => {
    const settings = settingsOf(config, name)
    const isUsers = name === usersIn(config)
    return {
      validates:
        isUsers || settings?.schema !== undefined || Object.keys(settings?.references ?? {}).length > 0,
      isUnique: isUsers || (settings?.unique ?? []).length > 0,
      isHeldBack: held.has(name),
    }
  }
}

/** The resources whose rows cannot always be deleted: references restrict it, or it would cascade to such a resource. */
function undeletable(resources: NonNullable<Config['resources']>): ReadonlySet<string> {
  const pointers = Object.entries(resources).flatMap(([name, { references = {} }]) =>
    Object.values(references).map((reference) => ({ name, ...reference })),
  )
  const held = new Set<string>()
  for (let size = -1; size !== held.size; ) {
    size = held.size
    for (const { name, resource, onDelete } of pointers) {
      if (onDelete === 'restrict' || onDelete === 'null' || (onDelete === 'cascade' && held.has(name)))
        held.add(resource)
    }
  }
  return held
}
