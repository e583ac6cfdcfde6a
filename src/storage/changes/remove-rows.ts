import { StorageError } from '../../catalogue/error-classes.ts'
import { Pace } from '../../util/pace.ts'
import type { Dependents } from '../change.ts'
import { fieldText, type Lookup, lookup } from '../data/lookup.ts'
import type { Source } from '../data/source.ts'
import { foreignKey } from '../relations/relations.ts'
import { idIn, type Pointer, valueAt, withValueAt } from '../rules/compiled-rules.ts'
import { stamped } from '../rules/made-rows.ts'
import type { Ruling } from '../rules/ruling.ts'
import type { Row } from '../types.ts'
import type { Writing } from './write-rows.ts'

/** Removes rows and their dependents: what rules say, and what is asked for, in some collections or in all. */
export async function removeRows(
  { draft, ruling, guard }: Writing,
  collection: string,
  rows: readonly Row[],
  among: Dependents,
): Promise<void> {
  const waysFrom = ruling && ((parent: string) => ruledWays(ruling, parent, among))
  const { rows: dependents, ruled } = await dependentsOf(draft, collection, rows, among, waysFrom)
  // Rows may depend on others of their own collection.
  const own = [...rows, ...(dependents.get(collection) ?? [])]
  const removed = new Map([[collection, own], ...dependents, [collection, own]])
  // Before any of them goes: what restricts a deletion must not tell of rows that the client may not delete.
  if (guard) {
    for (const [name, gone] of dependents) {
      const asked = gone.filter((row) => !ruled.has(row))
      const by = among === 'all' ? '--cascade' : '_dependent'
      const why = `A row of ${name} depends on what you delete, and would go with it (${by}). Nothing was changed.`
      await guard.checkAll(name, 'delete', asked, why)
    }
  }
  for (const [name, gone] of removed) {
    await draft.remove(name, gone)
    ruling?.addRemoved(name, gone)
  }
  if (ruling) await release(ruling, removed)
}

export interface Way {
  readonly collection: string
  readonly find: Lookup
  /** Whether it is a rule of the server that they go along. Else the client asks for it. */
  readonly isRule?: boolean
}

export interface Dependent {
  readonly rows: Map<string, Row[]>
  /** Those of them that go by a rule of the server, whatever the client asks for. */
  readonly ruled: ReadonlySet<Row>
}

/**
 * The rows that depend on some rows, directly or indirectly, in the named collections or in all; never those rows.
 * @param waysFrom how those are found that depend on the rows of a collection
 */
export async function dependentsOf(
  source: Source,
  collection: string,
  rows: readonly Row[],
  among: Dependents,
  waysFrom = (parent: string) => waysByName(source, parent, among),
): Promise<Dependent> {
  const dependents = new Map<string, Row[]>()
  const pace = new Pace()
  const known = new Map<string, readonly Way[]>()
  // Rows may reference each other in a cycle.
  const seen = new Set<Row>(rows)
  const ruled = new Set<Row>()
  const pending = rows.map((row) => ({ collection, row }))
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    const text = fieldText(parent.row, source.naming.id)
    if (text === undefined) continue
    const ways = known.get(parent.collection) ?? (await waysFrom(parent.collection))
    known.set(parent.collection, ways)
    for (const { collection: name, find, isRule } of ways) {
      for (const child of find(text)) {
        if (isRule) ruled.add(child)
        if (seen.has(child)) continue
        seen.add(child)
        const others = dependents.get(name)
        if (others) others.push(child)
        else dependents.set(name, [child])
        pending.push({ collection: name, row: child })
      }
    }
    if (pace.isDue) await pace.turn()
  }
  return { rows: dependents, ruled }
}

/** By the names of foreign keys, as in json-server: in the named collections, or in all. */
async function waysByName(source: Source, parent: string, among: Dependents): Promise<readonly Way[]> {
  // Includes objects, where nothing is found.
  const names = source.names().filter((name) => among === 'all' || among.includes(name))
  const field = foreignKey(parent, source.naming)
  const ways: Way[] = []
  for (const name of names) ways.push({ collection: name, find: await lookup(source, name, field) })
  return ways
}

/** How rows go with those of a collection. `onDelete` beats that everything cascades; what a client names goes all the same. */
export async function ruledWays(ruling: Ruling, parent: string, among: Dependents): Promise<readonly Way[]> {
  const { draft, rules } = ruling
  const ways: Way[] = []
  const isAsked = (name: string) => among === 'all' || among.includes(name)
  const field = foreignKey(parent, draft.naming)
  for (const name of draft.names().filter(isAsked)) {
    if (rules.of(name)?.pointers.some((pointer) => pointer.field === field)) continue
    ways.push({ collection: name, find: await lookup(draft, name, field) })
  }
  for (const pointer of rules.pointersTo(parent)) {
    if (!goesAlong(pointer, among, field)) continue
    const { collection, column } = pointer
    const all = await draft.keyed(collection, column)
    // Unless told to, no row goes with one of many that it points at.
    const single = (id: string) => all(id).filter((row) => !Array.isArray(valueAt(row, pointer.field)))
    const isRule = pointer.onDelete === 'cascade'
    ways.push({ collection, find: isRule ? all : single, isRule })
  }
  return ways
}

/** Whether rows go with the row that they point at. What a client names are those that point at it by the usual key. */
function goesAlong({ collection, field, onDelete }: Pointer, among: Dependents, usual: string): boolean {
  if (onDelete === 'cascade') return true
  if (among === 'all') return onDelete === undefined
  return among.includes(collection) && (onDelete === undefined || field === usual)
}

/** Takes references to removed rows out of the rows that stay, where `onDelete` is `null`. */
export async function release(ruling: Ruling, removed: ReadonlyMap<string, readonly Row[]>): Promise<void> {
  for (const [collection, rows] of removed) {
    for (const pointer of ruling.rules.pointersTo(collection)) {
      if (pointer.onDelete === 'null') await releaseFrom(ruling, rows, pointer)
    }
  }
}

async function releaseFrom(ruling: Ruling, rows: readonly Row[], pointer: Pointer): Promise<void> {
  const { draft } = ruling
  const holdersOf = await draft.keyed(pointer.collection, pointer.column)
  const gone = await ruling.goneIds(pointer.resource, rows)
  const holders = new Set<Row>()
  for (const id of gone) {
    for (const holder of holdersOf(id)) holders.add(holder)
    if (draft.pace.isDue) await draft.pace.turn()
  }
  const released: Row[] = []
  for (const holder of holders) {
    if (draft.pace.isDue) await draft.pace.turn()
    released.push(releasedRow(ruling, holder, pointer, gone))
  }
  await draft.replace(pointer.collection, [...holders], released)
}

function releasedRow(ruling: Ruling, old: Row, pointer: Pointer, gone: ReadonlySet<string>): Row {
  const { collection, field, resource } = pointer
  const { id: idName } = ruling.draft.naming
  const value = valueAt(old, field)
  const isGone = (entry: unknown) => idIn(entry).some((id) => gone.has(id))
  const left = Array.isArray(value) ? value.filter((entry) => !isGone(entry)) : null
  const ruled = ruling.of(collection)
  const row = withValueAt(old, field, left)
  const next = ruled ? stamped(ruled, ruling, row, old) : row
  // The client cannot correct a row that it did not send.
  if (ruled?.schema && ruled.schema.faultsOf(next).length > 0 && ruled.schema.faultsOf(old).length === 0) {
    const id = ruling.maySay(collection, old) ? (fieldText(old, idName) ?? '') : 'row'
    const message = `${collection} ${id} needs its ${field}, so what it references in ${resource} cannot be deleted: delete or change it first. Nothing was changed.`
    throw new StorageError('STILL_REFERENCED', message)
  }
  const name = `${collection} ${fieldText(next, idName) ?? ''}`
  ruling.addReplaced(collection, old, next, { prefix: '', name })
  return next
}
