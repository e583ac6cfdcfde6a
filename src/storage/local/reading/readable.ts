import type { Work } from '../../../work/in-slices.ts'
import type { Catalog } from '../../engine.ts'
import { isRow } from '../../is-row.ts'
import type { Selecting } from '../../relations/parent-fields.ts'
import type { Data, KeyColumn, Lookup, Row } from '../../types.ts'

/** What questions are answered from: the data, or what one client may see of it. */
export interface Readable extends Selecting, Catalog {
  /** All of it. */
  readonly shown: Data
  table(collection: string): { readonly version: number; positionOfRow(row: Row): number } | undefined
  /** Rows by a computed key. Undefined if others may change them. */
  keyed(collection: string, column: KeyColumn): Lookup | Promise<void> | undefined
  /**
   * What it is a part of, if it is. Kept answers ask that whether they are current: they would keep the rows that were
   * found for a view.
   */
  readonly whole?: Readable
  /** A single object, where not all of `shown` is to be found for it. */
  object?(name: string): Row | undefined
  /** Call before asking for rows, where they have to be found first. */
  prepare?(collection: string, hasRelations: boolean): Work<void>
}

export function objectIn(data: Readable, name: string): Row | undefined {
  if (data.object) return data.object(name)
  const value = data.kindOf(name) === 'object' ? data.shown[name] : undefined
  return isRow(value) ? value : undefined
}
