import { StorageError } from '../../kernel/catalogue/error-classes.ts'
import { sizeUpTo } from '../../kernel/json/json-size.ts'
import { isObject } from '../../kernel/json/values.ts'
import { TimeSlice } from '../../kernel/util/pace.ts'
import { hasFieldIn, type TableSource } from '../data/database.ts'
import { byId, entryKey, fieldText, listOf, lookup, lookupEntries, type RankedRow } from '../data/lookup.ts'
import { idOf } from '../id-of.ts'
import type { JoinedList } from '../question.ts'
import type { Relations, Row } from '../types.ts'
import { type Relation, resolveRelations } from './resolve-relations.ts'
import { compileShape, type Shape } from './shape.ts'

export async function joinRows(
  source: TableSource,
  collection: string,
  rows: readonly Row[],
  wanted: Relations,
): Promise<JoinedList> {
  // If any row has a field of that name, the word is a filter on that field.
  const unlessField = async (word: string, paths: readonly string[] = []) =>
    paths.length > 0 && (await hasFieldIn(source, collection, word)) ? [] : paths
  const fields = await unlessField('_fields', wanted.fields)
  const omit = await unlessField('_omit', wanted.omit)
  const relations = await resolveRelations(source, collection, wanted)
  const columns = await new RelatedRows(source).columnsOf(rows, relations)
  const isWhole = fields.length + omit.length === 0
  return joinedList(rows, columns, isWhole ? undefined : compileShape(fields, omit, relations))
}

export function isShaped({ embed, expand, fields, omit }: Relations): boolean {
  return embed.length + expand.length > 0 || fields !== undefined || omit !== undefined
}

/** Rows are joined when accessed: copies of all would need far more memory. */
function joinedList(
  rows: readonly Row[],
  columns: readonly RelatedColumn[],
  shape: Shape | undefined,
): JoinedList {
  const at = (index: number): Row | undefined => {
    const row = rows[index]
    if (!row) return row
    const attached = attachRelated(row, columns, index)
    return shape ? shape(attached) : attached
  }

  /** A lower bound. Rows that are attached repeatedly are measured once. */
  async function sizeOfAll(limit: number): Promise<number> {
    const pace = new TimeSlice()
    const sizes = new Map<Row, number>()
    const sizeOf = (row: Row): number => {
      const size = sizes.get(row) ?? sizeUpTo(limit, row, 2)
      sizes.set(row, size)
      return size
    }
    let size = 0
    for (let index = 0; index < rows.length && size < limit; index++) {
      size += sizeUpTo(limit, shape ? at(index) : rows[index], 1)
      for (const { related } of shape ? [] : columns) {
        for (const row of [related[index] ?? []].flat()) size += sizeOf(row)
      }
      if (pace.isUsedUp) await pace.yieldToEventLoop()
    }
    return size
  }

  const toArray = () => rows.map((row, index) => at(index) ?? row)
  return { length: rows.length, at, sizeUpTo: sizeOfAll, toArray }
}

/** For relations that json-server does not have: rows of relations of relations multiply. */
const MOST_ATTACHED = 100_000

type Related = Row | readonly Row[] | undefined

interface RelatedColumn {
  readonly relation: Relation
  readonly related: readonly Related[]
}

class RelatedRows {
  readonly #source: TableSource
  readonly #pace = new TimeSlice()
  #attached = 0

  constructor(source: TableSource) {
    this.#source = source
  }

  /** @param times how often each row is in the response, by default once */
  async columnsOf(
    rows: readonly Row[],
    relations: readonly Relation[],
    times: readonly number[] = [],
  ): Promise<RelatedColumn[]> {
    const columns: RelatedColumn[] = []
    for (const relation of relations) {
      const related = await this.#findAll(rows, relation, times)
      columns.push({ relation, related: await this.#deepen(related, relation, times) })
    }
    return columns
  }

  async #findAll(rows: readonly Row[], relation: Relation, times: readonly number[]): Promise<Related[]> {
    const { join, list, collection, isList } = relation
    const table = await this.#source.table(collection)
    const id = idOf(collection, this.#source.naming)
    const find = table && (join?.by === 'id' || list !== undefined) ? await byId(table, id) : () => undefined
    const lookUp = join?.by === 'entries' ? lookupEntries : lookup
    const byKey = join && join.by !== 'id' ? await lookUp(this.#source, collection, join.field) : undefined
    const related: Related[] = []
    for (const [at, row] of rows.entries()) {
      const ids = listIn(row, relation)
      const key = ids || !join ? undefined : fieldText(row, join.own)
      let one: Related
      if (ids) one = await this.#findListed(ids, find)
      else if (key !== undefined) one = byKey ? byKey(key) : find(key)?.row
      related.push(one ?? (isList ? [] : undefined))
      if (relation.isBounded) this.#count(rowsIn(related[at]).length * (times[at] ?? 1))
      if (this.#pace.isUsedUp) await this.#pace.yieldToEventLoop()
    }
    return related
  }

  async #findListed(list: readonly unknown[], find: (key: string) => RankedRow | undefined): Promise<Row[]> {
    const related = new Set<Row>()
    for (const entry of list) {
      const key = entryKey(entry)
      const row = key === undefined ? undefined : find(key)?.row
      if (row !== undefined) related.add(row)
      if (this.#pace.isUsedUp) await this.#pace.yieldToEventLoop()
    }
    return [...related]
  }

  #count(attached: number): void {
    this.#attached += attached
    if (this.#attached <= MOST_ATTACHED) return
    const message = `_embed and _expand attach more than ${MOST_ATTACHED} rows; ask for fewer rows with _limit, _page or a filter, or for fewer levels.`
    throw new StorageError('INVALID_QUERY', message)
  }

  async #deepen(
    related: Related[],
    { deeper }: Relation,
    times: readonly number[],
  ): Promise<readonly Related[]> {
    if (deeper.length === 0) return related
    const indexes = new Map<Row, number>()
    const counts: number[] = []
    for (const [at, some] of related.entries()) {
      for (const row of rowsIn(some)) {
        const index = indexes.get(row) ?? indexes.size
        indexes.set(row, index)
        counts[index] = (counts[index] ?? 0) + (times[at] ?? 1)
      }
      if (this.#pace.isUsedUp) await this.#pace.yieldToEventLoop()
    }
    const rows = [...indexes.keys()]
    const columns = await this.columnsOf(rows, deeper, counts)
    const deep = rows.map((row, at) => attachRelated(row, columns, at))
    const deepOf = (row: Row) => deep[indexes.get(row) ?? -1] ?? row
    return related.map((some) => (isList(some) ? some.map(deepOf) : some && deepOf(some)))
  }
}

function attachRelated(row: Row, columns: readonly RelatedColumn[], at: number): Row {
  if (!isObject(row)) return row
  let attached = row
  for (const { relation, related } of columns) {
    const value = related[at]
    if (value !== undefined) attached = { ...attached, [relation.name]: value }
  }
  return attached
}

/** With `_expand`, a field with the relation's name stays as it is. */
function listIn(row: Row, { name, list, isList }: Relation): readonly unknown[] | undefined {
  if (list === undefined || (!isList && isObject(row) && Object.hasOwn(row, name))) return undefined
  return listOf(row, list)
}

function rowsIn(related: Related): readonly Row[] {
  if (related === undefined) return []
  return isList(related) ? related : [related]
}

function isList(related: Related): related is readonly Row[] {
  return Array.isArray(related)
}
