import { statSync } from 'node:fs'
import { join } from 'node:path'
import { addedIn, usersIn } from '../../config/resource-config.ts'
import { type OpenedSchemas, ownFields } from '../../config/resources/open-resources.ts'
import type { ResourceSettings } from '../../config/resources/resource-settings.ts'
import { nearest } from '../../config/spelling.ts'
import { staticFolders } from '../../config/static-files.ts'
import { hasField } from '../../core/engine/data/fields.ts'
import type { Catalog, Engine } from '../../core/engine/engine.ts'
import { idOf } from '../../core/engine/id-of.ts'
import { readValues } from '../../core/engine/read-rows.ts'
import { relationNamedBy } from '../../core/engine/relations/relations.ts'
import { faultsOfStored } from '../../core/engine/rules/served-fields.ts'
import type { Endpoint } from '../../core/kernel/catalogue/endpoint.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { TimeSlice } from '../../core/kernel/util/pace.ts'
import type { ParsedLogic } from '../../wings/logic/parse-logic.ts'
import type { Config } from '../settings.ts'

/** Reserved names and the endpoint that takes them. */
const TAKEN: ReadonlyMap<string, string> = new Map([
  ['', 'the page'],
  ['index.html', 'the page'],
  ['db', 'the whole database'],
  ['__dashboard', 'part of the page'],
  ['__events', 'the event stream'],
  ['__page', 'the page'],
  ['__rules', 'the rewrite rules'],
  ['__service', 'the description of this server'],
  ['__snapshots__', 'the snapshots'],
])

/** All other names under which a server says something of itself. */
function isTaken(name: string, endpoints: readonly Endpoint[]): boolean {
  return (
    name.startsWith('__') && endpoints.some(({ method, path }) => method === 'get' && path === `/${name}`)
  )
}

/** Endpoints that data of the same name takes precedence over. */
const HIDDEN: ReadonlyMap<string, string> = new Map([
  ['health-check', 'the health check'],
  ['stats', 'the statistics'],
])

/** Warnings about names that are not served as one would expect: one line each, with what to do. */
export function nameWarnings(
  config: Config,
  names: readonly string[],
  endpoints: readonly Endpoint[],
): readonly string[] {
  return names.flatMap((name) => nameWarning(config, name, endpoints) ?? [])
}

function nameWarning(config: Config, name: string, endpoints: readonly Endpoint[]): string | undefined {
  if (!name.isWellFormed())
    return `"${name}" has half a surrogate pair in its name, which no URL can have. Rename it.`
  const path = `/${encodeURIComponent(name)}`
  const plain = name.toLowerCase()
  const taken = TAKEN.get(plain) ?? (isTaken(plain, endpoints) ? 'something of this server' : undefined)
  if (taken) return `"${name}": GET ${path} returns ${taken}, not this resource. Rename it.`
  const hidden = HIDDEN.get(name)
  if (hidden)
    return `"${name}": GET ${path} returns this resource instead of ${hidden}. Rename it to have both.`
  if (name === 'login' && config.middlewares.includes('jwt')) {
    return `"login": with the jwt layer on, POST /login signs in and adds no row here. Rename it.`
  }
  const file = staticFolders(config.static)
    .map((folder) => fileInFront(folder, name))
    .find((one) => one !== undefined)
  if (file) return `"${name}": GET ${path} returns ${file}, not this resource. Rename one of them.`
  if (/\s/.test(name))
    return `"${name}" has a space in its name, so its path is ${path}. Rename it for a simpler path.`
  return undefined
}

function fileInFront(folder: string, name: string): string | undefined {
  if (name.startsWith('.') || name.includes('\0')) return undefined
  const path = join(folder, name)
  return statSync(path, { throwIfNoEntry: false }) && path
}

export function ruleWarnings(config: Config, catalog: Catalog): readonly string[] {
  const { resources = {} } = config
  const users = usersIn(config)
  return Object.entries(resources).flatMap(([name, { id, unique, references, ids }]) => {
    const kind = catalog.kindOf(name)
    if (kind === undefined && name === users) return []
    if (kind === undefined) return [unknownWarning(`resources.${name}`, name, catalog)]
    const isUseless = kind === 'object' && (id ?? unique ?? references ?? ids) !== undefined
    return isUseless
      ? [
          `resources.${name} is a single object: id, unique, references and ids mean nothing for it. Remove them.`,
        ]
      : unnamedWarnings(name, references, catalog)
  })
}

/** References without a relation. A dotted one is none on purpose. */
function unnamedWarnings(
  name: string,
  references: ResourceSettings['references'] = {},
  { naming }: Catalog,
): readonly string[] {
  return Object.keys(references)
    .filter((field) => !field.includes('.') && relationNamedBy(field, naming) === undefined)
    .map(
      (field) =>
        `resources.${name}.references.${field}: it does not end in ${naming.foreignKeySuffix}, so _expand and ` +
        `_embed have no name for it. Call the field ${field}${naming.foreignKeySuffix} to use it there.`,
    )
}

/** Names in the logic file that are not in the data. */
export function logicWarnings(
  config: Config,
  catalog: Catalog,
  logic: ParsedLogic | undefined,
): readonly string[] {
  return [...(logic?.resources.keys() ?? [])]
    .filter((name) => catalog.kindOf(name) === undefined && name !== usersIn(config))
    .map((name) => unknownWarning(`${logic?.name}: ${name}`, name, catalog))
}

function unknownWarning(at: string, name: string, catalog: Catalog): string {
  const near = nearest(name, catalog.names())
  const remedy = near === undefined ? 'Correct the name, or add it to the data.' : `Did you mean "${near}"?`
  return `${at}: there is no such resource, so this applies to nothing. ${remedy}`
}

export async function fieldWarnings(
  config: Config,
  engine: Engine,
  schemas: OpenedSchemas,
): Promise<readonly string[]> {
  const { resources = {} } = config
  const warnings: string[] = []
  for (const [name, settings] of Object.entries(resources)) {
    const table = engine.database.table(name)
    if (table === undefined) continue
    const named = [...(schemas.get(name)?.fields ?? [])]
    if (named.length === 0 && table.size === 0) continue
    const added = addedIn(config, name)
    const known = new Set([...named, ...added.defaults, ...ownFields(added)])
    for (const [key, field] of ruledFields(settings)) {
      if (known.has(field) || known.has(field.split('.', 1)[0] ?? '')) continue
      if (await hasField(table, field)) continue
      const { found: fields = [] } = await engine.read({ kind: 'fields', collection: name })
      const near = nearest(field, [...fields, ...named])
      warnings.push(
        `resources.${name}.${key}: no row of ${name} has the field "${field}", nor does a schema name it. ` +
          (near === undefined ? 'Correct the name.' : `Did you mean "${near}"?`),
      )
    }
  }
  return warnings
}

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

export async function fitWarnings(
  engine: Engine,
  schemas: OpenedSchemas,
  isWanted: () => boolean,
): Promise<readonly string[]> {
  const warnings: string[] = []
  const pace = new TimeSlice()
  for (const [name, { rows: schema }] of schemas) {
    const { values: rows } = await readValues(engine, name)
    const unfit: string[] = []
    let count = 0
    for (const row of rows) {
      if (pace.isUsedUp) await pace.yieldToEventLoop()
      if (!isWanted()) return []
      const [fault] = isObject(row)
        ? faultsOfStored(schema, row)
        : [{ path: '', message: 'must be an object' }]
      if (!fault) continue
      count++
      if (unfit.length < MOST_NAMED)
        unfit.push(`${shownId(row, idOf(name, engine.naming))} (${`${fault.path} ${fault.message}`.trim()})`)
    }
    if (count === 0) continue
    const more = count > unfit.length ? ', …' : ''
    warnings.push(
      `${name}: ${count} of ${rows.length} rows ${count === 1 ? 'does' : 'do'} not fit the schema and ` +
        `${count === 1 ? 'is' : 'are'} served as ${count === 1 ? 'it is' : 'they are'}: ${unfit.join(', ')}${more}.`,
    )
  }
  return warnings
}

function shownId(row: unknown, field: string): string {
  const id = isObject(row) ? row[field] : undefined
  return id === undefined || id === null ? 'one without an id' : `${field} ${String(id).slice(0, 40)}`
}
