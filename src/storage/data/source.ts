import type { Naming, Row } from '../types.ts'
import { hasField } from './fields.ts'
import type { Table } from './table.ts'

/** What is read: all data, what one client may see of it, or what a change has made of it so far. */
export interface Source {
  readonly naming: Naming
  names(): readonly string[]
  kindOf(name: string): 'collection' | 'object' | undefined
  table(name: string): Table | undefined | Promise<Table | undefined>
  object(name: string): Row | undefined
}

export async function hasFieldIn(source: Source, collection: string, path: string): Promise<boolean> {
  const table = await source.table(collection)
  return table !== undefined && hasField(table, path)
}
