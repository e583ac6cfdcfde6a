import { isObject } from '../../json/values.ts'
import { addedFields, ownFields, type OpenedSchemas } from '../../resources/open-resources.ts'
import type { ResourceSettings } from '../../resources/resource-settings.ts'
import { faultsOfStored } from '../../storage/access/hidden-fields.ts'
import { hasField } from '../../storage/data/fields.ts'
import type { Catalog, Engine } from '../../storage/engine/engine.ts'
import { readValues } from '../../storage/engine/read-rows.ts'
import { Pace } from '../../util/pace.ts'
import type { Config } from '../config/config.ts'
import { accountsOf } from '../config/sign-in.ts'
import { nearest } from '../config/spelling.ts'

/** Warnings about rules for what is not served. */
export function remarksOnRules(config: Config, catalog: Catalog): readonly string[] {
  const { resources = {} } = config
  // The first user makes it.
  const { collection: users } = accountsOf(config) ?? {}
  return Object.entries(resources).flatMap(([name, { unique, references, ids }]) => {
    const kind = catalog.kindOf(name)
    if (kind === undefined && name === users) return []
    if (kind === undefined) {
      const near = nearest(name, catalog.names())
      const remedy =
        near === undefined ? 'Correct the name, or add it to the data.' : `Did you mean "${near}"?`
      return [`resources.${name}: there is no such resource, so these rules apply to nothing. ${remedy}`]
    }
    const isVain = kind === 'object' && (unique ?? references ?? ids) !== undefined
    return isVain
      ? [`resources.${name} is a single object: unique, references and ids mean nothing for it. Remove them.`]
      : []
  })
}

/** Warnings about rules for fields that nobody knows: a misspelled one holds for nothing. */
export async function remarksOnFields(
  config: Config,
  engine: Engine,
  schemas: OpenedSchemas,
): Promise<readonly string[]> {
  const { resources = {} } = config
  const remarks: string[] = []
  for (const [name, settings] of Object.entries(resources)) {
    const table = engine.database.table(name)
    if (table === undefined) continue
    const named = [...(schemas.get(name)?.fields ?? [])]
    // Of a collection without rows and schema, nobody knows anything.
    if (named.length === 0 && table.size === 0) continue
    const added = addedFields(name, settings, config, accountsOf(config)?.collection)
    const known = new Set([...named, ...added.defaults, ...ownFields(added)])
    for (const [key, field] of ruledFields(settings)) {
      if (known.has(field) || known.has(field.split('.', 1)[0] ?? '')) continue
      if (await hasField(table, field)) continue
      const { found = [] } = await engine.read({ kind: 'fields', collection: name })
      const near = nearest(field, [...found, ...named])
      remarks.push(
        `resources.${name}.${key}: no row of ${name} has the field "${field}", nor does a schema name it. ` +
          (near === undefined ? 'Correct the name.' : `Did you mean "${near}"?`),
      )
    }
  }
  return remarks
}

/** Fields that rules are about, each once, and by which key. */
function ruledFields({
  unique = [],
  references = {},
}: ResourceSettings): readonly (readonly [string, string])[] {
  return [
    ...[...new Set(unique.flat())].map((field) => ['unique', field] as const),
    ...Object.keys(references).map((field) => ['references', field] as const),
  ]
}

const MOST_NAMED = 3

/** Counts rows that do not fit their schema, and are served as they are. Takes turns with requests. */
export async function remarksOnFit(
  engine: Engine,
  schemas: OpenedSchemas,
  isWanted: () => boolean,
): Promise<readonly string[]> {
  const remarks: string[] = []
  const pace = new Pace()
  for (const [name, { rows: schema }] of schemas) {
    const { values: rows } = await readValues(engine, name)
    const unfit: string[] = []
    let count = 0
    for (const row of rows) {
      if (pace.isDue) await pace.turn()
      if (!isWanted()) return []
      const [fault] = isObject(row)
        ? faultsOfStored(schema, row)
        : [{ path: '', message: 'must be an object' }]
      if (!fault) continue
      count++
      if (unfit.length < MOST_NAMED)
        unfit.push(`${idOf(row, engine)} (${`${fault.path} ${fault.message}`.trim()})`)
    }
    if (count === 0) continue
    const more = count > unfit.length ? ', …' : ''
    remarks.push(
      `${name}: ${count} of ${rows.length} rows ${count === 1 ? 'does' : 'do'} not fit the schema and ` +
        `${count === 1 ? 'is' : 'are'} served as ${count === 1 ? 'it is' : 'they are'}: ${unfit.join(', ')}${more}.`,
    )
  }
  return remarks
}

function idOf(row: unknown, { naming }: Engine): string {
  const id = isObject(row) ? row[naming.id] : undefined
  return id === undefined || id === null ? 'one without an id' : `${naming.id} ${String(id).slice(0, 40)}`
}
