import { StorageError } from '../../kernel/catalogue/error-classes.ts'
import { bytesUpTo } from '../../kernel/json/json-size.ts'
import { isObject, isSameJson } from '../../kernel/json/values.ts'
import { TimeSlice } from '../../kernel/util/pace.ts'
import type { Database } from '../data/database.ts'
import { findEntry } from '../data/lookup.ts'
import type { Commit, Effect } from '../data/store.ts'
import { Table } from '../data/table.ts'
import { type Difference, diff } from '../data/tree.ts'
import { MOST_BYTES } from '../history.ts'
import type { RowEvent } from '../hooks.ts'
import { idOf } from '../id-of.ts'
import { toStoredRow } from '../rules/served-fields.ts'
import type { Naming, Row } from '../types.ts'

export async function effectsBetween(
  before: Database,
  after: Database,
): Promise<Pick<Commit, 'names' | 'bytes'> & { readonly effects: readonly Effect[] }> {
  const pace = new TimeSlice()
  const names: string[] = []
  const effects: Effect[] = []
  let bytes = 0
  for (const name of new Set([...before.parts.keys(), ...after.parts.keys()])) {
    const [old, next] = [before.parts.get(name), after.parts.get(name)]
    if (old === next) continue
    const made = old === undefined ? 'created' : next === undefined ? 'removed' : undefined
    const [oldTable, table] = [old ?? Table.EMPTY, next ?? Table.EMPTY]
    if (oldTable instanceof Table && table instanceof Table) {
      const rows: Difference<Row>[] = []
      for (const difference of diff(oldTable.rows, table.rows)) {
        rows.push(difference)
        if (bytes <= MOST_BYTES) bytes += bytesOf(difference.before) + bytesOf(difference.after)
        if (pace.isUsedUp) await pace.yieldToEventLoop()
      }
      if (rows.length === 0 && !made) continue
      effects.push({ kind: 'rows', name, rows, ...(made && { made }) })
    } else if (!(old instanceof Table || next instanceof Table) && isObject(old) && isObject(next)) {
      bytes += bytesOf(old) + bytesOf(next)
      effects.push({ kind: 'object', name, before: old, after: next })
    } else continue
    names.push(name)
  }
  return { names, effects, bytes }
}

/** The events of a change, row by row. */
export function eventsOf(effects: readonly Effect[]): readonly RowEvent[] {
  return effects.flatMap((effect): readonly RowEvent[] => {
    const { name: resource } = effect
    if (effect.kind === 'object')
      return [{ resource, action: 'update', row: effect.after, old: effect.before }]
    return effect.rows.flatMap(({ before: old, after: row }): readonly RowEvent[] => {
      if (row !== undefined) return [{ resource, action: old === undefined ? 'create' : 'update', row, old }]
      return old === undefined ? [] : [{ resource, action: 'delete', row: old }]
    })
  })
}

const ROW_ITSELF = 50

function bytesOf(row: Row | undefined): number {
  if (row === undefined) return 0
  return ROW_ITSELF + bytesUpTo(MOST_BYTES + 1, row)
}

export function invert(effects: readonly Effect[]): readonly Effect[] {
  return effects.map((effect) => {
    if (effect.kind === 'object') return { ...effect, before: effect.after, after: effect.before }
    const { made } = effect
    return {
      ...effect,
      rows: effect.rows.map(({ rank, before: after, after: before }) => ({ rank, before, after })),
      ...(made && { made: made === 'created' ? 'removed' : 'created' }),
    }
  })
}

/** Refused if the data is not what the effects say it was. */
export async function applyEffects(database: Database, effects: readonly Effect[]): Promise<Database> {
  const pace = new TimeSlice()
  let next = database
  for (const effect of effects) {
    const { name } = effect
    if (effect.kind === 'object') {
      if (!isSameJson(next.object(name), effect.before)) throw conflict(name)
      next = next.with(name, effect.after)
      continue
    }
    // The first row of a collection creates it.
    const table = next.parts.has(name) ? next.table(name) : Table.of([])
    for (const { rank, before } of effect.rows) {
      const current = table?.row(rank)
      if (!table || (current !== before && !isSameStored(current, before))) throw conflict(name)
      if (pace.isUsedUp) await pace.yieldToEventLoop()
    }
    const edited = table?.edit(effect.rows)
    if (effect.made && next.parts.has(name) !== (effect.made === 'removed')) throw conflict(name)
    if (effect.made === 'removed' && edited && edited.size > 0) throw conflict(name)
    next = effect.made === 'removed' ? next.without(name) : next.with(name, edited)
  }
  return next
}

/** Refused if a row would come back whose id another one has by now: an owner of live rows may use it again. */
export async function refuseTakenIds(
  database: Database,
  effects: readonly Effect[],
  naming: Naming,
): Promise<void> {
  const pace = new TimeSlice()
  for (const effect of effects) {
    const table = effect.kind === 'rows' && database.table(effect.name)
    if (!table) continue
    const id = idOf(effect.name, naming)
    const changed = new Set(effect.rows.map(({ rank }) => rank))
    for (const { before, after } of effect.rows) {
      if (before !== undefined || !isObject(after)) continue
      const entry = await findEntry(table, id, after[id])
      if (entry && !changed.has(entry.rank)) throw conflict(effect.name)
      if (pace.isUsedUp) await pace.yieldToEventLoop()
    }
  }
}

/** Computed fields may go by the time. */
function isSameStored(row: Row | undefined, other: Row | undefined): boolean {
  return isSameJson(row && toStoredRow(row), other && toStoredRow(other))
}

function conflict(name: string): StorageError {
  return new StorageError(
    'UNDO_CONFLICT',
    `${name} was changed otherwise since, and nothing was changed now.`,
  )
}
