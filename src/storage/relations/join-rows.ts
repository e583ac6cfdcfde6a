import { StorageError } from '../../catalogue/error-classes.ts'
import { sizeUpTo } from '../../json/json-size.ts'
import { isObject } from '../../json/record.ts'
import { Pace } from '../../util/pace.ts'
import { byId, type Entry, entryKey, fieldText, listOf, lookup, lookupEntries } from '../data/lookup.ts'
import { hasFieldIn, type Source } from '../data/source.ts'
import type { JoinedList } from '../question.ts'
import type { Relations, Row } from '../types.ts'
import { type Relation, resolveRelations } from './resolve-relations.ts'
import { Shape } from './shape.ts'

export async function joinRows(
  source: Source,
  collection: string,
  rows: readonly Row[],
  wanted: Relations,
): Promise<JoinedList> {
  // A new word gives way to data: where any row has a field of that name, it is a filter on that field.
  const unlessField = async (word: string, paths: readonly string[] = []) =>
    paths.length > 0 && (await hasFieldIn(source, collection, word)) ? [] : paths
  const fields = await unlessField('_fields', wanted.fields)
  const omit = await unlessField('_omit', wanted.omit)
  const relations = hasRelations(wanted) ? await resolveRelations(source, collection, wanted) : []
  const columns = await new RelatedSearch(source).columnsOf(rows, relations)
  const isWhole = fields.length + omit.length === 0
  return joinedList(rows, columns, isWhole ? undefined : new Shape(fields, omit, relations))
}

export function isShaped(wanted: Relations): boolean {
  return hasRelations(wanted) || wanted.fields !== undefined || wanted.omit !== undefined
}

export function hasRelations({ embed, expand }: Relations): boolean {
  return embed.length + expand.length > 0
}

/** A row is assembled each time it is accessed: copies of all rows would need far more memory. */
function joinedList(rows: readonly Row[], columns: readonly Column[], shape: Shape | undefined): JoinedList {
  const at = (index: number): Row | undefined => {
    const row = rows[index]
    if (!row) return row
    const attached = attachFound(row, columns, index)
    return shape ? shape.apply(attached) : attached
  }

  /** A lower bound, counted no further than the limit. What repeats in many rows is measured once. */
  async function sizeOfAll(limit: number): Promise<number> {
    const pace = new Pace()
    const known = new Map<Row, number>()
    const sizeOf = (row: Row): number => {
      const size = known.get(row) ?? sizeUpTo(limit, row, 2)
      known.set(row, size)
      return size
    }
    let size = 0
    for (let index = 0; index < rows.length && size < limit; index++) {
      size += sizeUpTo(limit, shape ? at(index) : rows[index], 1)
      for (const { found } of shape ? [] : columns) {
        for (const row of [found[index] ?? []].flat()) size += sizeOf(row)
      }
      if (pace.isDue) await pace.turn()
    }
    return size
  }

  const toArray = () => rows.map((row, index) => at(index) ?? row)
  return { length: rows.length, at, sizeUpTo: sizeOfAll, toArray }
}

/** Relations that json-server does not have attach at most this many rows: those of relations multiply. */
const MOST_ATTACHED = 100_000

export type Found = Row | readonly Row[] | undefined

export interface Column {
  readonly relation: Relation
  readonly found: readonly Found[]
}

export class RelatedSearch {
  readonly #source: Source
  readonly #pace = new Pace()
  #attached = 0

  constructor(source: Source) {
    this.#source = source
  }

  /** @param times how often each row is in the response; once unless it says otherwise */
  async columnsOf(
    rows: readonly Row[],
    relations: readonly Relation[],
    times: readonly number[] = [],
  ): Promise<Column[]> {
    const columns: Column[] = []
    for (const relation of relations) {
      const found = await this.#findAll(rows, relation, times)
      columns.push({ relation, found: await this.#deepen(found, relation, times) })
    }
    return columns
  }

  async #findAll(rows: readonly Row[], relation: Relation, times: readonly number[]): Promise<Found[]> {
    const { way, list, collection, isList } = relation
    const { id } = this.#source.naming
    const table = await this.#source.table(collection)
    const find = table && (way?.by === 'id' || list !== undefined) ? await byId(table, id) : () => undefined
    const lookUp = way?.by === 'entries' ? lookupEntries : lookup
    const byKey = way && way.by !== 'id' ? await lookUp(this.#source, collection, way.field) : undefined
    const found: Found[] = []
    for (const [at, row] of rows.entries()) {
      const ids = listIn(row, relation)
      const key = ids || !way ? undefined : fieldText(row, way.by === 'id' ? way.own : id)
      let one: Found
      if (ids) one = await this.#findListed(ids, find)
      else if (key !== undefined) one = byKey ? byKey(key) : find(key)?.row
      found.push(one ?? (isList ? [] : undefined))
      if (relation.isBounded) this.#count(rowsIn(found[at]).length * (times[at] ?? 1))
      if (this.#pace.isDue) await this.#pace.turn()
    }
    return found
  }

  /** Each row once, in the order of the list. */
  async #findListed(list: readonly unknown[], find: (key: string) => Entry | undefined): Promise<Row[]> {
    const found = new Set<Row>()
    for (const entry of list) {
      const key = entryKey(entry)
      const row = key === undefined ? undefined : find(key)?.row
      if (row !== undefined) found.add(row)
      if (this.#pace.isDue) await this.#pace.turn()
    }
    return [...found]
  }

  #count(attached: number): void {
    this.#attached += attached
    if (this.#attached <= MOST_ATTACHED) return
    const message = `_embed and _expand attach more than ${MOST_ATTACHED} rows; ask for fewer rows with _limit, _page or a filter, or for fewer levels.`
    throw new StorageError('INVALID_QUERY', message)
  }

  /** Adds relations to what was found: to each row once, however often it was found. */
  async #deepen(found: Found[], { deeper }: Relation, times: readonly number[]): Promise<readonly Found[]> {
    if (deeper.length === 0) return found
    const places = new Map<Row, number>()
    const counts: number[] = []
    for (const [at, some] of found.entries()) {
      for (const row of rowsIn(some)) {
        const place = places.get(row) ?? places.size
        places.set(row, place)
        counts[place] = (counts[place] ?? 0) + (times[at] ?? 1)
      }
      if (this.#pace.isDue) await this.#pace.turn()
    }
    const rows = [...places.keys()]
    const columns = await this.columnsOf(rows, deeper, counts)
    const deep = rows.map((row, at) => attachFound(row, columns, at))
    const deepOf = (row: Row) => deep[places.get(row) ?? -1] ?? row
    return found.map((some) => (isList(some) ? some.map(deepOf) : some && deepOf(some)))
  }
}

export function attachFound(row: Row, columns: readonly Column[], at: number): Row {
  if (!isObject(row)) return row
  let attached = row
  for (const { relation, found } of columns) {
    const value = found[at]
    if (value !== undefined) attached = { ...attached, [relation.name]: value }
  }
  return attached
}

/** A row's list of ids. With `_expand`, a field with the relation's name stays as it is. */
function listIn(row: Row, { name, list, isList }: Relation): readonly unknown[] | undefined {
  if (list === undefined || (!isList && isObject(row) && Object.hasOwn(row, name))) return undefined
  return listOf(row, list)
}

function rowsIn(found: Found): readonly Row[] {
  if (found === undefined) return []
  return isList(found) ? found : [found]
}

function isList(found: Found): found is readonly Row[] {
  return Array.isArray(found)
}
