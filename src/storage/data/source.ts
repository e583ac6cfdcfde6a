import type { Naming, Row } from '../types.ts'
import { hasField } from './fields.ts'
import type { Table } from './table.ts'

/** What is read: all data, what one client may see of it, or what a change has made of it so far. */
export interface Source {
  readonly naming: Naming
  /** What is served. */
  names(): readonly string[]
  kindOf(name: string): 'collection' | 'object' | undefined
  table(name: string): Table | undefined | Promise<Table | undefined>
  object(name: string): Row | undefined
}

/** Whether any row of a collection has a path, even if its value is null. */
export async function hasFieldIn(source: Source, collection: string, path: string): Promise<boolean> {
  const table = await source.table(collection)
  return table !== undefined && hasField(table, path)
}

/** How many rows a collection has; undefined if there is none of that name. */
export async function sizeIn(source: Source, collection: string): Promise<number | undefined> {
  return (await source.table(collection))?.size
}
