import type { IgnoredPart } from '../../catalogue/exchange.ts'
import { maskForm } from '../../layers/log/mask-text.ts'
import { isKeyword } from '../../query/parameters.ts'
import type { Catalog, EngineAccess } from '../../storage/engine/engine.ts'
import type { Ignored, ListQuery, Relations } from '../../storage/types.ts'
import { Lru } from '../../util/lru.ts'
import { parseParameter } from './parse-parameter.ts'
import { suggest } from './suggest.ts'

/** What was found out about names in queries of one collection. Holds as long as its rows stay as they are. */
export interface KnownNames {
  readonly fields: readonly string[]
  /** What had no effect, as people are told. */
  readonly parts: Lru<string, IgnoredPart>
  /** What had no effect on an item, by all names of its query. */
  readonly onItems: Lru<string, readonly Ignored[]>
  isCurrent(): boolean
}

const MOST_CHARACTERS = 50_000

/** Bounded by the length of names: scripts may make up many, and long ones. */
function boundedMap<Value>(): Lru<string, Value> {
  return new Lru({ limit: MOST_CHARACTERS, sizeOf: (_, key) => key.length })
}

const known = new WeakMap<EngineAccess, Map<string, KnownNames>>()

/** What is known of a collection's names. Suggestions take dozens of comparisons, so each is worked out once. */
export async function knownNames(engine: EngineAccess, collection: string): Promise<KnownNames> {
  const collections = known.get(engine) ?? new Map<string, KnownNames>()
  known.set(engine, collections)
  const before = collections.get(collection)
  // A cache buster adds the same name to every URL.
  if (before?.isCurrent()) return before
  const { found: fields = [], isCurrent } = await engine.read({ kind: 'fields', collection })
  const names: KnownNames = { fields, parts: boundedMap(), onItems: boundedMap(), isCurrent }
  collections.set(collection, names)
  return names
}

/** Asks what the names of a query mean, and for no rows. */
export const PROBE: ListQuery = {
  where: [],
  sort: [],
  window: { kind: 'limit', count: 0 },
  embed: [],
  expand: [],
}

interface IgnoredOnItems {
  readonly ignored: readonly Ignored[]
  isCurrent(): boolean
}

/** The parameters of an item that name no field of any row, and what it is to show that no row has. */
export async function ignoredOnItems(
  engine: EngineAccess,
  collection: string,
  names: readonly string[],
  relations: Relations | undefined,
): Promise<IgnoredOnItems> {
  // What relations lead to depends on other collections, too.
  const known = relations ? undefined : await knownNames(engine, collection)
  const key = names.join('\n')
  const ignored = known?.onItems.get(key)
  if (known && ignored) return { ignored, isCurrent: known.isCurrent }
  const found = await findIgnored(engine, collection, names, relations)
  // Not if it was read from other rows by then.
  if (known?.isCurrent()) known.onItems.set(key, found.ignored)
  return found
}

async function findIgnored(
  engine: EngineAccess,
  collection: string,
  names: readonly string[],
  relations: Relations | undefined,
): Promise<IgnoredOnItems> {
  const where = names.map((name) => parseParameter(name, []))
  const query = { ...PROBE, ...relations, where }
  const { found, isCurrent } = await engine.read({ kind: 'explain', collection, query })
  const ignored = (found?.ignored ?? []).filter(({ reason }) => reason !== 'unreadable value')
  return { ignored, isCurrent }
}

/** A URL may have thousands of parameters: so many are told of, and so many of them looked into. */
const MOST = { parts: 100, suggestions: 10 } as const

/** What of a query had no effect, as people are told: by name, without values. */
export async function partsOf(
  engine: EngineAccess,
  collection: string,
  ignored: readonly Ignored[],
): Promise<readonly IgnoredPart[]> {
  const told = distinct(
    ignored.filter(
      (one) =>
        !(one.reason === 'unknown field' && isKeyword(one.name)) && !isDeclared(engine, collection, one),
    ),
  )
  if (told.length === 0) return []
  const names = await knownNames(engine, collection)
  return told.map((one, at) =>
    at < MOST.suggestions ? suggested(one, collection, names, engine) : named(one),
  )
}

/** A field that a schema or another rule names is known, though no row has it yet. */
function isDeclared(engine: EngineAccess, collection: string, { name, reason, detail }: Ignored): boolean {
  if (reason !== 'unknown field' && reason !== 'matches nothing') return false
  const { path, orElse } = parseParameter(detail ?? name, [])
  return [path, orElse?.path ?? path].some((one) => {
    const [first = one] = one.split('.', 1)
    return engine.declares(collection, first) || engine.declares(collection, one)
  })
}

function suggested(
  ignored: Ignored,
  collection: string,
  { fields, parts }: KnownNames,
  catalog: Catalog,
): IgnoredPart {
  const key = [ignored.reason, ignored.detail, ignored.name].join('\n')
  const known = parts.get(key)
  if (known) return known
  const suggestion = suggest(ignored, { collection, fields }, catalog)
  const part = { ...named(ignored), ...(suggestion !== undefined && { suggestion }) }
  parts.set(key, part)
  return part
}

function named({ name, reason }: Ignored): IgnoredPart {
  // `token%3Dabc` is a name with a secret in it.
  return { name: maskForm(name), reason }
}

function distinct(ignored: readonly Ignored[]): readonly Ignored[] {
  const names = new Map<string, Ignored>()
  for (const one of ignored) {
    if (names.size >= MOST.parts) break
    if (!names.has(one.name)) names.set(one.name, one)
  }
  return [...names.values()]
}
