import { ConfigError } from '../errors.ts'
import type { Catalog } from '../storage/engine.ts'
import type { ResourceRules, Rules } from '../storage/resource-rules.ts'
import type { Naming } from '../storage/types.ts'
import { checkTimestamps } from './check-timestamps.ts'
import type { ResourceSettings, ResourcesSettings } from './resource-settings.ts'
import { bundleSchema } from './schema/bundle-schema.ts'
import { type OpenedSchema, openSchema } from './schema/open-schema.ts'

/** Schemas by resource. */
export type OpenedSchemas = ReadonlyMap<string, OpenedSchema>

/** The schema of a resource, if it has one. */
export function openSchemaOf(
  name: string,
  settings: ResourceSettings,
  { id }: Naming,
): OpenedSchema | undefined {
  const { schema } = settings
  if (schema === undefined) return undefined
  const { created, updated } = timestampsOf(settings) ?? {}
  const added = [id, created, updated].filter((field) => field !== undefined)
  const setting = `resources.${name}.schema`
  if (typeof schema === 'string') return openSchema(bundleSchema(schema, setting), schema, added)
  return openSchema(schema, setting, added)
}

/** The rules that settings ask for, given the schemas they name. */
export function rulesOf(settings: ResourcesSettings, schemas: OpenedSchemas, now = () => new Date()): Rules {
  const resources = Object.entries(settings).map(([name, each]): [string, ResourceRules] => [
    name,
    {
      schema: schemas.get(name)?.rows,
      fields: [...(schemas.get(name)?.fields ?? []), ...(each.owner === undefined ? [] : [each.owner])],
      unique: each.unique?.map((fields) => [fields].flat()),
      references: each.references,
      timestamps: timestampsOf(each),
      ids: each.ids,
    },
  ])
  return { resources: new Map(resources), now }
}

/** Opens everything that settings name. Throws a one-line ConfigError. */
export function openResources(settings: ResourcesSettings, catalog: Catalog): Rules {
  checkReferences(settings, catalog)
  checkTimestamps(settings, catalog.naming)
  return rulesOf(settings, openSchemas(settings, catalog.naming))
}

/** Opens the schemas that settings name. Throws a one-line ConfigError. */
export function openSchemas(settings: ResourcesSettings, naming: Naming): OpenedSchemas {
  const schemas = new Map<string, OpenedSchema>()
  for (const [name, each] of Object.entries(settings)) {
    const schema = openSchemaOf(name, each, naming)
    if (schema) schemas.set(name, schema)
  }
  return schemas
}

/** Refuses references to what is not there: no row could ever be written. */
export function checkReferences(settings: ResourcesSettings, catalog: Catalog): void {
  for (const [name, { references = {} }] of Object.entries(settings)) {
    for (const [field, { resource }] of Object.entries(references)) {
      if (catalog.kindOf(resource) === 'collection') continue
      throw new ConfigError(
        `resources.${name}.references.${field}: there is no collection "${resource}". Correct the name, or add ` +
          `"${resource}": [] to the data.`,
      )
    }
  }
}

function timestampsOf({ timestamps }: ResourceSettings): ResourceRules['timestamps'] {
  if (timestamps === undefined || timestamps === false) return undefined
  const [created, updated] = timestamps === true ? (['createdAt', 'updatedAt'] as const) : timestamps
  return { created, updated }
}
