import { StorageError } from '../../errors.ts'
import type { Dependents } from '../change.ts'
import { fieldText, lookup } from '../data/lookup.ts'
import { type Dependent, dependentsBy, foreignKey, type Way } from '../relations/relations.ts'
import type { Row } from '../types.ts'
import { idIn, valueAt, withValueAt } from './columns.ts'
import type { CompiledRules, Pointer } from './compiled-rules.ts'
import { stamped } from './made-rows.ts'
import type { RuledDraft } from './ruled-draft.ts'
import type { Ruling } from './ruling.ts'

/**
 * The rows that go with some rows. What `onDelete` says of a field beats that everything cascades; what a
 * client names goes all the same.
 */
export function ruledDependents(
  draft: RuledDraft,
  rules: CompiledRules,
  collection: string,
  rows: readonly Row[],
  among: Dependents,
): Promise<Dependent> {
  return dependentsBy(draft, collection, rows, (parent) => waysFrom(draft, rules, parent, among))
}

async function waysFrom(
  draft: RuledDraft,
  rules: CompiledRules,
  parent: string,
  among: Dependents,
): Promise<readonly Way[]> {
  const ways: Way[] = []
  const isAsked = (name: string) => among === 'all' || among.includes(name)
  const field = foreignKey(parent, draft.naming)
  for (const name of among.length > 0 ? draft.names().filter(isAsked) : []) {
    if (rules.pointerOf(name, field)) continue
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
export async function release(
  draft: RuledDraft,
  ruling: Ruling,
  removed: ReadonlyMap<string, readonly Row[]>,
): Promise<void> {
  for (const [collection, rows] of removed) {
    for (const pointer of ruling.rules.pointersTo(collection)) {
      if (pointer.onDelete === 'null') await releaseFrom(draft, ruling, rows, pointer)
    }
  }
}

async function releaseFrom(
  draft: RuledDraft,
  ruling: Ruling,
  rows: readonly Row[],
  pointer: Pointer,
): Promise<void> {
  const holdersOf = await draft.keyed(pointer.collection, pointer.column)
  const gone = new Set<string>()
  const holders = new Set<Row>()
  for (const row of rows) {
    const id = fieldText(row, draft.naming.id)
    if (id === undefined || (await draft.find(pointer.resource, id))) continue
    gone.add(id)
    for (const holder of holdersOf(id)) holders.add(holder)
    if (draft.pace.isDue) await draft.pace.turn()
  }
  for (const holder of holders) {
    if (draft.pace.isDue) await draft.pace.turn()
    await releaseRow(draft, ruling, holder, pointer, gone)
  }
}

async function releaseRow(
  draft: RuledDraft,
  ruling: Ruling,
  old: Row,
  { collection, field, resource }: Pointer,
  gone: ReadonlySet<string>,
): Promise<void> {
  const value = valueAt(old, field)
  const isGone = (entry: unknown) => idIn(entry).some((id) => gone.has(id))
  const left = Array.isArray(value) ? value.filter((entry) => !isGone(entry)) : null
  const ruled = ruling.of(collection)
  const row = withValueAt(old, field, left)
  const next = ruled ? stamped(ruled, () => ruling.now, row, old) : row
  // The client cannot correct a row that it did not send.
  if (ruled?.schema && ruled.schema.faultsOf(next).length > 0 && ruled.schema.faultsOf(old).length === 0) {
    const id = ruling.maySay(collection, old) ? (fieldText(old, draft.naming.id) ?? '') : 'row'
    throw new StorageError(
      'STILL_REFERENCED',
      `${collection} ${id} needs its ${field}, so what it references in ${resource} cannot be deleted: delete or change it first. Nothing was changed.`,
    )
  }
  await draft.replace(collection, old, next)
  ruling.journal.noteReplacement(collection, old, next, {
    prefix: '',
    name: `${collection} ${fieldText(next, draft.naming.id) ?? ''}`,
  })
}
