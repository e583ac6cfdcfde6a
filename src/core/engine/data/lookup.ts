import { keyOf } from '../../kernel/catalogue/text.ts'
import type { Row } from '../types.ts'
import { keysFor, valueColumn } from './columns.ts'
import type { TableSource } from './database.ts'
import { BEFORE, Column, type Index, type IndexKey, rangeOf } from './index.ts'
import type { Table } from './table.ts'

export type RowsByKey = (key: string) => readonly Row[]

export interface RankedRow {
  readonly row: Row
  readonly rank: number
}

export async function byId(table: Table, field: string): Promise<(text: string) => RankedRow | undefined> {
  const index = await table.derive(valueColumn(field))
  return (text) => firstEntry(table, index, field, text)
}

/** The first row with this id. Ids are compared as strings. */
export async function findEntry(table: Table, field: string, id: unknown): Promise<RankedRow | undefined> {
  const text = id === undefined || id === null ? undefined : keyOf(id)
  if (text === undefined) return undefined
  return firstEntry(table, await table.derive(valueColumn(field)), field, text)
}

/** Whether a row is still the one that its id leads to: another may have come before it, with the same one. */
export function isFoundIn(table: Table, field: string, row: Row): boolean {
  const index = table.derive(valueColumn(field))
  const text = fieldText(row, field)
  return (
    !(index instanceof Promise) && text !== undefined && firstEntry(table, index, field, text)?.row === row
  )
}

function firstEntry(table: Table, index: Index, field: string, text: string): RankedRow | undefined {
  const keys = keysFor(text)
  let first = Number.POSITIVE_INFINITY
  for (const key of keys) {
    const { items, ranks } = index.leafFor(key, BEFORE)
    first = Math.min(first, ranks[items.indexOf(key)] ?? first)
  }
  if (first === Number.POSITIVE_INFINITY) return undefined
  const entry = entryAt(table, first, field, text)
  if (entry) return entry
  // The value may be nested, not the row's own field.
  for (const rank of ranksOf(index, keys)) {
    const other = entryAt(table, rank, field, text)
    if (other) return other
  }
  return undefined
}

function entryAt(table: Table, rank: number, field: string, text: string): RankedRow | undefined {
  const row = table.row(rank)
  return row !== undefined && fieldText(row, field) === text ? { row, rank } : undefined
}

/** By the text of an own field; null and missing have none. */
export async function lookup(source: TableSource, collection: string, field: string): Promise<RowsByKey> {
  const table = await source.table(collection)
  if (!table) return () => []
  const index = await table.derive(valueColumn(field))
  const find = (text: string) =>
    table.pick(ranksOf(index, keysFor(text))).filter((row) => fieldText(row, field) === text)
  return memoized(find)
}

export async function ranksBy(table: Table, path: string): Promise<(text: string) => readonly number[]> {
  const index = await table.derive(valueColumn(path))
  return (text) => ranksOf(index, keysFor(text))
}

export async function lookupKeys(
  source: TableSource,
  collection: string,
  column: Column,
): Promise<RowsByKey> {
  const table = await source.table(collection)
  if (!table) return () => []
  const index = await table.derive(column)
  return memoized((key) => table.pick(ranksOf(index, [key])))
}

export function lookupEntries(source: TableSource, collection: string, field: string): Promise<RowsByKey> {
  const column = new Column(`list ${field}`, (row) => keysIn(listOf(row, field)))
  return lookupKeys(source, collection, column)
}

/** For long lists: unchanged when another field of the row changes. */
const keysOfLists = new WeakMap<readonly unknown[], readonly string[]>()

function keysIn(list: readonly unknown[] = []): readonly string[] {
  const cached = keysOfLists.get(list)
  if (cached) return cached
  const keys = distinctKeys(list)
  if (keys.length > 1000) keysOfLists.set(list, keys)
  return keys
}

/** For lists of millions: deduplicates before converting, and again only if not all are numbers. */
function distinctKeys(list: readonly unknown[]): readonly string[] {
  const keys: string[] = []
  let hasOthers = false
  for (const entry of new Set(list)) {
    const key = entryKey(entry)
    if (key !== undefined) keys.push(key)
    hasOthers ||= typeof entry !== 'number'
  }
  return hasOthers ? [...new Set(keys)] : keys
}

function memoized(find: RowsByKey): RowsByKey {
  const cache = new Map<string, readonly Row[]>()
  return (key) => {
    const rows = cache.get(key) ?? find(key)
    cache.set(key, rows)
    return rows
  }
}

function ranksOf(index: Index, keys: readonly IndexKey[]): readonly number[] {
  const ranks = keys.flatMap((key) => {
    const { start, end } = rangeOf(index, key)
    return index.ranks(start, end)
  })
  return keys.length > 1 ? ranks.sort((a, b) => a - b) : ranks
}

/** As text, the way ids are compared; undefined if missing or too long for a key. */
export function fieldText(row: unknown, field: string): string | undefined {
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, field)) return undefined
  const value: unknown = (row as Row)[field]
  return value === undefined || value === null ? undefined : keyOf(value)
}

export function listOf(row: unknown, field: string): readonly unknown[] | undefined {
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, field)) return undefined
  const value: unknown = Reflect.get(row, field)
  return Array.isArray(value) ? value : undefined
}

/** The id that a list entry refers to; none for null, lists and objects. */
export function entryKey(entry: unknown): string | undefined {
  return typeof entry === 'object' || entry === undefined ? undefined : keyOf(entry)
}
