import pluralize from 'pluralize'
import type { Row } from '../../../core/engine/types.ts'
import { isObject } from '../../../core/kernel/json/values.ts'

/** Rows, and where they are in an answer: the keys that lead there. */
export interface FoundRows {
  readonly kind: 'list' | 'item'
  readonly at: readonly string[]
  /** As they come: of JSON:API, flattened. */
  readonly rows: readonly Row[]
  /** Whether it is a resource of JSON:API. */
  readonly isResource?: boolean
}

const ID_NAMES = ['id', '_id', 'uuid', 'guid', 'gid']
const DEEPEST = 5

/** Names that ids of a collection may have. */
export function idNames(collection: string): readonly string[] {
  const one = pluralize.singular(collection)
  return [...ID_NAMES, `${one}Id`, `${one}_id`]
}

/** The id of a row, by one of the names that ids have. */
export function rowId(row: Row, collection: string): string | number | undefined {
  for (const name of idNames(collection)) {
    const id = Object.hasOwn(row, name) ? row[name] : undefined
    if (typeof id === 'number' || (typeof id === 'string' && id !== '')) return id
  }
  return undefined
}

/** The shallowest list of objects that all have an id; or the only list, if that is empty. */
export function findList(body: unknown, collection: string): FoundRows | undefined {
  const empty: (readonly string[])[] = []
  let count = 0
  for (const level of levelsOf(body)) {
    for (const { value, at } of level) {
      if (!Array.isArray(value)) continue
      count += 1
      if (value.length === 0) empty.push(at)
      else if (value.every((row) => isObject(row) && rowId(row, collection) !== undefined))
        return { kind: 'list', at, rows: value.map(flattened) }
    }
  }
  const [only] = empty
  return only && count === 1 ? { kind: 'list', at: only, rows: [] } : undefined
}

/** The object that has an id, whichever or this one. */
export function findItem(body: unknown, collection: string, id?: string): FoundRows | undefined {
  for (const level of levelsOf(body)) {
    for (const { value, at } of level) {
      const found = isObject(value) ? rowId(value, collection) : undefined
      if (isObject(value) && found !== undefined && (id === undefined || String(found) === id))
        return { kind: 'item', at, rows: [flattened(value)], isResource: flattened(value) !== value }
    }
  }
  return undefined
}

interface Part {
  readonly value: unknown
  readonly at: readonly string[]
}

function* levelsOf(body: unknown): Generator<readonly Part[]> {
  let level: readonly Part[] = [{ value: body, at: [] }]
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    yield level
    level = level.flatMap(({ value, at }) =>
      isObject(value)
        ? Object.entries(value).map(([key, inner]) => ({ value: inner, at: [...at, key] }))
        : [],
    )
  }
}

/** `{ type, id, attributes }` of JSON:API as one object. */
function flattened(row: Row): Row {
  const { type, id, attributes } = row
  if (typeof type !== 'string' || id === undefined || !isObject(attributes)) return row
  return { id, ...attributes }
}
