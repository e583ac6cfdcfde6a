import type { Catalog } from '../../core/engine/engine.ts'
import type { ResourceRules, Rules } from '../../core/engine/resource-rules.ts'
import type { Naming } from '../../core/engine/types.ts'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import { bundleSchema } from '../../wings/validation/bundle-schema.ts'
import { type OpenedSchema, openSchema } from '../../wings/validation/open-schema.ts'
import type { ResourceSettings, ResourcesSettings } from './resource-settings.ts'

export type OpenedSchemas = ReadonlyMap<string, OpenedSchema>

export function openSchemaOf(
  schema: ResourceSettings['schema'],
  name: string,
  added: AddedFields,
): OpenedSchema | undefined {
  if (schema === undefined) return undefined
  const setting = `resources.${name}.schema`
  const [json, label] =
    typeof schema === 'string' ? [bundleSchema(schema, setting), schema] : [schema, setting]
  return openSchema(json, label, added.defaults, ownFields(added))
}

interface RulesOptions {
  readonly naming: Naming
  readonly accounts?: string | undefined
}

export function rulesOf(
  settings: ResourcesSettings,
  schemas: OpenedSchemas,
  { naming, accounts }: RulesOptions,
): Rules {
  const resources = Object.entries(settings).map(([name, each]): [string, ResourceRules] => {
    const { timestamps, owner } = addedFields(name, each, naming, accounts)
    const { rows, fields = [] } = schemas.get(name) ?? {}
    return [
      name,
      {
        schema: rows,
        fields: [...fields, ...(owner === undefined ? [] : [owner])],
        unique: each.unique?.map((fields) => [fields].flat()),
        references: each.references,
        timestamps,
        id: each.id,
        ids: each.ids,
      },
    ]
  })
  return { resources: new Map(resources), now: () => new Date() }
}

export function openResources(settings: ResourcesSettings, catalog: Catalog): Rules {
  checkResources(settings, catalog)
  const { naming } = catalog
  const schemas = new Map<string, OpenedSchema>()
  for (const [name, each] of Object.entries(settings)) {
    const schema = openSchemaOf(each.schema, name, addedFields(name, each, naming))
    if (schema) schemas.set(name, schema)
  }
  return rulesOf(settings, schemas, { naming })
}

/** Refuses settings that can never hold. */
export function checkResources(settings: ResourcesSettings, catalog: Catalog): void {
  for (const [name, { id = catalog.naming.id, references = {}, timestamps, owner }] of Object.entries(
    settings,
  )) {
    for (const [field, { resource }] of Object.entries(references)) {
      if (field === id) throw new ConfigError(`resources.${name}.references.${field}: ${isId(field, name)}`)
      if (catalog.kindOf(resource) === 'collection') continue
      throw new ConfigError(
        `resources.${name}.references.${field}: there is no collection "${resource}". Correct the name, or add ` +
          `"${resource}": [] to the data.`,
      )
    }
    if (typeof timestamps === 'object') checkTimestamps(name, timestamps, owner, id)
  }
}

/** Why a field is no key: the end of a sentence about a setting. */
export function isId(field: string, name: string): string {
  return `"${field}" has the ids of ${name}, and is no key. Name another field.`
}

/** A timestamp would overwrite what else the field means. */
function checkTimestamps(
  name: string,
  [created, updated]: readonly [string, string],
  owner: string | undefined,
  id: string,
): void {
  const refuse = (why: string) => new ConfigError(`resources.${name}.timestamps: ${why}`)
  if (created === updated) throw refuse(`both fields are called "${created}". Name two different ones.`)
  const taken = [created, updated].find((field) => field === id || field === owner)
  if (taken === id) throw refuse(`"${id}" is the primary key. Name another field.`)
  if (taken !== undefined) throw refuse(`"${taken}" is the owner of a row. Name another field.`)
}

/** The fields of a resource's rows that the server fills in. */
export interface AddedFields {
  readonly timestamps?: ResourceRules['timestamps']
  readonly owner?: string | undefined
  /** These are filled in where a client does not send them, or may not. */
  readonly defaults: readonly string[]
}

const TIMESTAMPS = ['createdAt', 'updatedAt'] as const

export function addedFields(
  name: string,
  settings: ResourceSettings,
  naming: Naming,
  accounts?: string,
): AddedFields {
  const isAccounts = name === accounts
  const [created, updated] = settings.timestamps === true ? TIMESTAMPS : settings.timestamps || []
  const timestamps = created === undefined || updated === undefined ? undefined : { created, updated }
  return {
    timestamps,
    owner: filledOwner(settings, naming, isAccounts),
    defaults: [settings.id ?? naming.id, ...(isAccounts ? ['role'] : [])],
  }
}

export function ownFields({ timestamps, owner }: AddedFields): readonly string[] {
  return [timestamps?.created, timestamps?.updated, owner].filter((field) => field !== undefined)
}

/** The field with a row's owner, where the server fills it in. Users own themselves. */
export function filledOwner(
  { access, owner, id }: ResourceSettings,
  naming: Naming,
  isAccounts: boolean,
): string | undefined {
  if (access === undefined && owner === undefined) return undefined
  const own = id ?? naming.id
  const field = owner ?? (isAccounts ? own : `user${naming.foreignKeySuffix}`)
  return field === own ? undefined : field
}
