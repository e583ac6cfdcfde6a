import { StorageError } from '../../catalogue/error-classes.ts'
import type { Dependents } from '../change.ts'
import { fieldText, lookup } from '../data/lookup.ts'
import { foreignKey, type Way } from '../relations/relations.ts'
import type { Row } from '../types.ts'
import { idIn, valueAt, withValueAt } from './columns.ts'
import type { Pointer } from './compiled-rules.ts'
import { stamped } from './made-rows.ts'
import type { Ruling } from './ruling.ts'

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
