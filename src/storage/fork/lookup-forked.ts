import { workAtOnce } from '../../work/in-slices.ts'
import { groupByKeys } from '../index/keyed-index.ts'
import { groupRows } from '../index/lookup.ts'
import { lookupEntries } from '../plan/lookup-entries.ts'
import { lookupIndexed, lookupKeyed } from '../plan/plan.ts'
import type { KeyColumn, Lookup } from '../types.ts'
import type { ForkedTable } from './forked-table.ts'
import { inRowOrder, isGone, ownRowsOf } from './own-rows.ts'

/**
 * Rows of a fork by the text of an own field, through an index. A promise while it is being built: then ask again.
 * Undefined if there are too few rows.
 */
export function lookupForked(fork: ForkedTable, field: string): Lookup | Promise<void> | undefined {
  const { table, difference } = fork
  const base = lookupIndexed(table, field)
  if (!base || base instanceof Promise) return base
  const own = workAtOnce(groupRows(difference ? ownRowsOf(difference) : [], field))
  const find: Lookup = (text) => {
    if (!difference) return base(text)
    const kept = base(text).filter((row) => !isGone(difference, row))
    const mine = own(text)
    return mine.length > 0 ? workAtOnce(inRowOrder(table, difference, kept, mine)) : kept
  }
  // If the origin changes while somebody still looks rows up, the index is no longer that of the fork.
  let grouped: Lookup | undefined
  return (text) => {
    if (fork.table === table) return find(text)
    grouped ??= workAtOnce(groupRows(fork.rows, field))
    return grouped(text)
  }
}

/** Rows of a fork by a computed key, unordered. A promise while an index is being built: then ask again. */
export function lookupKeyedForked(fork: ForkedTable, column: KeyColumn): Lookup | Promise<void> | undefined {
  const { table, difference } = fork
  const base = lookupKeyed(table, column)
  if (!base || base instanceof Promise) return base
  const find = difference ? difference.keyed(column, base) : base
  let grouped: Lookup | undefined
  return (key) => {
    if (fork.table === table) return find(key)
    grouped ??= workAtOnce(groupByKeys(fork.rows, column))
    return grouped(key)
  }
}

/** The same by the entries of an array in an own field, as long as the fork has changed nothing. */
export function lookupEntriesForked(fork: ForkedTable, field: string): Lookup | Promise<void> | undefined {
  return fork.difference ? undefined : lookupEntries(fork.table, field)
}
