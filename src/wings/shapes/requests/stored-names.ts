import type { FieldNames } from '../../../core/engine/data/fields.ts'
import type { Engine, EngineAccess } from '../../../core/engine/engine.ts'
import { idOf } from '../../../core/engine/id-of.ts'
import { foreignKey, listKey, singularOf } from '../../../core/engine/relations/relations.ts'
import { isOperator, OPERATORS } from '../../../core/kernel/catalogue/operators.ts'
import { isKeyword } from '../../../core/kernel/catalogue/parameters.ts'
import { isObject } from '../../../core/kernel/json/values.ts'
import { attempt } from '../../../core/kernel/util/attempt.ts'
import { getOrMake } from '../../../core/kernel/util/get-or-make.ts'
import { readDialect } from '../../../core/router/query/dialects.ts'
import { strings } from '../../../core/router/query/parameter-values.ts'
import type { Query } from '../../../core/router/query/query-string.ts'
import { inStyle, KEY_STYLES, type KeyStyle, styleOf } from '../key-style.ts'

type Rename = (name: string) => string

/** The stored name of one that clients write. */
export interface Stored extends Rename {
  /** Whether there is such a field: in rows, or within what they have. */
  has(name: string, isWithin: boolean): boolean
  /** Whether names still mean the same. */
  isCurrent(): boolean
}

/** Stored names of resources, while their rows are unchanged. */
const cached = new WeakMap<Engine, Map<string, { readonly stored: Stored; readonly style: KeyStyle }>>()

/**
 * The stored names of fields that clients write in another style, as far as rows and rules have them.
 * @param show a name in that style
 */
export async function storedNames(
  engine: Engine,
  resource: string,
  style: KeyStyle,
  show: (name: string) => string,
): Promise<Stored> {
  const known = getOrMake(cached, engine, () => new Map())
  const before = known.get(resource)
  if (before?.style === style && before.stored.isCurrent()) return before.stored
  const stored = namesFrom(await fieldsOf(engine, resource), engine, resource, style, show)
  known.set(resource, { stored, style })
  return stored
}

/** Of more, most are keys of dictionaries. */
const MOST_INNER = 10_000

function namesFrom(
  { own, inner, isCurrent }: Fields,
  engine: Engine,
  resource: string,
  style: KeyStyle,
  show: (name: string) => string,
): Stored {
  const names = engine.names()
  // No row shows them, but writes may have them.
  const { hidden = [], unstored = [] } = engine.rules?.of(resource) ?? {}
  const within = inner.slice(0, MOST_INNER)
  const known = new Set([...within, ...own, ...names, ...hidden, ...unstored])
  // Of two names that look alike to clients, the later one is meant.
  const { naming } = engine
  const keys = names.flatMap((name) => [singularOf(name), foreignKey(name, naming), listKey(name, naming)])
  const stored = new Map([...keys, ...known].map((name) => [show(name), name]))
  const ownStyle = styleOfNew([...own, ...within], style, idOf(resource, naming))
  const find = (name: string) => {
    const found = known.has(name) ? name : stored.get(name)
    return (
      found ?? KEY_STYLES.map((other) => inStyle(name, other)).find((one) => engine.declares(resource, one))
    )
  }
  return Object.assign(
    (name: string) => find(name) ?? (ownStyle === undefined ? name : inStyle(name, ownStyle)),
    {
      has(name: string, isWithin: boolean) {
        const field = find(name)
        return field !== undefined && (isWithin || own.includes(field) || engine.declares(resource, field))
      },
      isCurrent,
    },
  )
}

/** A new field is written as the others are, which may be single words. */
function styleOfNew(fields: readonly string[], style: KeyStyle, id: string): KeyStyle | undefined {
  const others = fields.filter((name) => name !== id)
  const own = others.map(styleOf).find((other) => other !== undefined && other !== style)
  if (own !== undefined || style !== 'pascal') return own
  return others.some((name) => inStyle(name, style) !== name) ? 'camel' : undefined
}

type Fields = FieldNames & { readonly isCurrent: () => boolean }

/** The names of fields that rows have. */
export async function fieldsOf(engine: EngineAccess, resource: string): Promise<Fields> {
  if (engine.kindOf(resource) === 'collection') {
    const { found, isCurrent } = await engine.read({ kind: 'names', collection: resource })
    return { own: [], inner: [], ...found, isCurrent }
  }
  const { found = {}, isCurrent } = await engine.read({ kind: 'object', name: resource })
  return { own: Object.keys(found), inner: keysWithin(Object.values(found)), isCurrent }
}

function keysWithin(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(keysWithin)
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...keysWithin(inner)]) : []
}

/** A query in the names of stored fields. */
export function withStoredNames(query: Query, stored: Stored, sent: Map<string, string>): Query {
  const path = (text: string) => text.split('.').map(stored).join('.')
  const json = (text: unknown) => inJson(text, (value) => renamedFilter(value, stored))
  const translated: Query = {}
  const dialect = readDialect(query)?.names
  const isOurs = (name: string) => isKeyword(name) || dialect?.has(name)
  const storedName = (name: string) => (isOurs(name) ? name : filterName(name, stored))
  const isStored = ([name]: [string, unknown]) => storedName(name) === name
  const entries = Object.entries(query)
  for (const [name, value] of [...entries.filter(isStored), ...entries.filter((one) => !isStored(one))]) {
    // Of two spellings of one filter, the second stays as it is, which has no effect: it is reported, and refused in writes.
    const ours = Object.hasOwn(translated, storedName(name)) ? name : storedName(name)
    if (ours !== name) sent.set(ours, name)
    if (LISTS.has(name) && strings(value).length > 0) translated[ours] = listed(value, path)
    else if (name === '_where') translated[ours] = Array.isArray(value) ? value.map(json) : json(value)
    else if (!dialect?.has(name)) translated[ours] = value
    else translated[ours] = NAMES.has(name) ? inJson(value, (names) => renamedAll(names, path)) : json(value)
  }
  return translated
}

const LISTS: ReadonlySet<string> = new Set(
  '_sort _fields _omit _embed _expand _dependent _sortField'.split(' '),
)

/** JSON with names of fields or relations as values. */
const NAMES: ReadonlySet<string> = new Set(['sort', 'embed'])

function listed(value: unknown, path: (text: string) => string): string {
  const named = strings(value).join(',').split(',')
  return named.map((name) => (name.startsWith('-') ? `-${path(name.slice(1))}` : path(name))).join(',')
}

/**
 * `companyId_gte`, `companyId:gte` → `company_id_gte`. A field may end in a word that is an operator: `opt_in`.
 * @param rename a name in the path, if it is not to become the stored one
 */
export function filterName(
  name: string,
  stored: Stored,
  { isWithin = name.includes('.'), rename = stored }: { isWithin?: boolean; rename?: Rename } = {},
): string {
  const path = (text: string) => text.split('.').map(rename).join('.')
  const [, field = name, mark = '', suffix = ''] = /^(.*)([_:])([a-zA-Z]+)$/s.exec(name) ?? []
  if (!isOperator(suffix)) return path(name)
  const last = name.slice(name.lastIndexOf('.') + 1)
  const isField = mark === '_' && !OPERATORS[suffix].isOld && stored.has(last, isWithin)
  return isField ? path(name) : `${path(field)}${mark}${suffix}`
}

function inJson(text: unknown, rename: (value: unknown) => unknown): unknown {
  if (typeof text !== 'string') return text
  return attempt(() => JSON.stringify(rename(JSON.parse(text)))) ?? text
}

function renamedAll(names: unknown, path: (text: string) => string): unknown {
  return Array.isArray(names) ? names.map(path) : names
}

function renamedFilter(value: unknown, stored: Stored, isWithin = false): unknown {
  if (Array.isArray(value)) return value.map((one) => renamedFilter(one, stored, isWithin))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const isOurs = isOperator(name) || ['and', 'or', 'not', 'q'].includes(name)
      const own = isOurs ? name : filterName(name, stored, isWithin ? { isWithin } : {})
      return [own, renamedFilter(inner, stored, isWithin || !isOurs)]
    }),
  )
}
