import { StorageError } from '../../kernel/catalogue/error-classes.ts'
import type { Dependents } from '../change.ts'
import { fieldText, lookup, type RowsByKey } from '../data/lookup.ts'
import { idOf } from '../id-of.ts'
import { foreignKey } from '../relations/relations.ts'
import { checkRows } from '../rules/check-access.ts'
import { type CompiledReference, idIn, valueAt, withValueAt } from '../rules/compiled-rules.ts'
import { withTimestamps } from '../rules/made-rows.ts'
import type { RuleCheck } from '../rules/rule-check.ts'
import { withComputed } from '../rules/served-fields.ts'
import type { Row } from '../types.ts'
import type { Draft } from './draft.ts'
import { beforeDelete, beforeUpdate } from './run-before.ts'
import type { WriteContext } from './write-context.ts'

/** Removes rows and their dependents: by the rules and, in the collections `among`, by foreign keys. */
export async function removeRows(
  context: WriteContext,
  collection: string,
  rows: readonly Row[],
  among: Dependents,
): Promise<void> {
  const { draft, ruling, access } = context
  const { rows: dependents, ruled } = await dependentsOf(draft, collection, rows, among, ruling)
  const own = [...rows, ...(dependents.get(collection) ?? [])]
  const all = new Map([[collection, own], ...dependents, [collection, own]])
  // Checked before anything is removed: a `restrict` error must not reveal rows that the client may not delete.
  if (access) {
    for (const [name, gone] of dependents) {
      const requested = gone.filter((row) => !ruled.has(row))
      const by = among === 'all' ? '--cascade' : '_dependent'
      const why = `A row of ${name} depends on what you delete, and would go with it (${by}). Nothing was changed.`
      await checkRows(draft, access, name, 'delete', requested, why)
    }
  }
  const removed = await beforeDelete(context, all)
  for (const [name, gone] of removed) {
    await draft.remove(name, gone)
    ruling?.addRemoved(name, gone)
  }
  if (ruling) await nullReferences(context, ruling, removed)
}

interface DependentLookup {
  readonly collection: string
  readonly find: RowsByKey
  /** Whether a rule of the server deletes them, rather than the client's request. */
  readonly isRule?: boolean
}

/** All rows that depend on these, directly or indirectly; never these. `ruled` are those that a rule deletes. */
export async function dependentsOf(
  draft: Draft,
  collection: string,
  rows: readonly Row[],
  among: Dependents,
  ruling?: RuleCheck,
): Promise<{ readonly rows: Map<string, Row[]>; readonly ruled: ReadonlySet<Row> }> {
  const dependents = new Map<string, Row[]>()
  const lookupsOf = new Map<string, readonly DependentLookup[]>()
  const seen = new Set<Row>(rows)
  const ruled = new Set<Row>()
  const pending = rows.map((row) => ({ collection, row }))
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    const text = fieldText(parent.row, idOf(parent.collection, draft.naming))
    if (text === undefined) continue
    const lookups =
      lookupsOf.get(parent.collection) ?? (await dependentLookups(draft, parent.collection, among, ruling))
    lookupsOf.set(parent.collection, lookups)
    for (const { collection: name, find, isRule } of lookups) {
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
    if (draft.pace.isUsedUp) await draft.pace.yieldToEventLoop()
  }
  return { rows: dependents, ruled }
}

/** By foreign keys and rules. `onDelete` beats `--cascade`; collections that the client names are always included. */
async function dependentLookups(
  draft: Draft,
  parent: string,
  among: Dependents,
  ruling: RuleCheck | undefined,
): Promise<readonly DependentLookup[]> {
  const lookups: DependentLookup[] = []
  const field = foreignKey(parent, draft.naming)
  for (const name of draft.names()) {
    if (among !== 'all' && !among.includes(name)) continue
    if (field === idOf(name, draft.naming)) continue
    if (ruling?.of(name)?.references.some((reference) => reference.field === field)) continue
    lookups.push({ collection: name, find: await lookup(draft, name, field) })
  }
  for (const reference of ruling?.rules.referencesTo(parent) ?? []) {
    if (!isDeletedAlong(reference, among, field)) continue
    const { collection, column } = reference
    const all = await draft.keyed(collection, column)
    // Without a rule, a row that references several is not deleted with one of them.
    const single = (id: string) => all(id).filter((row) => !Array.isArray(valueAt(row, reference.field)))
    const isRule = reference.onDelete === 'cascade'
    lookups.push({ collection, find: isRule ? all : single, isRule })
  }
  return lookups
}

/** Collections that the client names are searched by the default foreign key. */
function isDeletedAlong(
  { collection, field, onDelete }: CompiledReference,
  among: Dependents,
  usual: string,
): boolean {
  if (onDelete === 'cascade') return true
  if (among === 'all') return onDelete === undefined
  return among.includes(collection) && (onDelete === undefined || field === usual)
}

/** Clears references to removed rows where `onDelete` is `null`. */
async function nullReferences(
  context: WriteContext,
  ruling: RuleCheck,
  removed: ReadonlyMap<string, readonly Row[]>,
): Promise<void> {
  for (const [collection, rows] of removed) {
    for (const reference of ruling.rules.referencesTo(collection)) {
      if (reference.onDelete === 'null') await nullReference(context, ruling, rows, reference)
    }
  }
}

async function nullReference(
  context: WriteContext,
  ruling: RuleCheck,
  rows: readonly Row[],
  reference: CompiledReference,
): Promise<void> {
  const { draft } = context
  const holdersOf = await draft.keyed(reference.collection, reference.column)
  const gone = await ruling.goneIds(reference.resource, rows)
  const mayRead = await ruling.readTest(reference.collection)
  const holders = new Set<Row>()
  for (const id of gone) {
    for (const holder of holdersOf(id)) holders.add(holder)
    if (draft.pace.isUsedUp) await draft.pace.yieldToEventLoop()
  }
  const released: Row[] = []
  for (const holder of holders) {
    if (draft.pace.isUsedUp) await draft.pace.yieldToEventLoop()
    const row = withoutReference(holder, reference, gone)
    const hooked = await beforeUpdate(context, reference.collection, row, holder)
    released.push(addReleased(ruling, holder, hooked, reference, mayRead))
  }
  await draft.replace(reference.collection, [...holders], released)
}

function withoutReference(old: Row, { field }: CompiledReference, gone: ReadonlySet<string>): Row {
  const value = valueAt(old, field)
  const isGone = (entry: unknown) => idIn(entry).some((id) => gone.has(id))
  return withValueAt(old, field, Array.isArray(value) ? value.filter((entry) => !isGone(entry)) : null)
}

function addReleased(
  ruling: RuleCheck,
  old: Row,
  row: Row,
  { collection, field, resource }: CompiledReference,
  mayRead: (row: Row) => boolean,
): Row {
  const idName = idOf(collection, ruling.draft.naming)
  const ruled = ruling.of(collection)
  const next = ruled ? withComputed(withTimestamps(ruled, ruling, row, old), ruled.computed) : row
  // The client cannot correct a row that it did not send.
  const fits = (row: Row) => ruled?.schema?.faultsOf(row).length === 0
  if (ruled?.schema && !fits(next) && fits(old)) {
    const id = mayRead(old) ? (fieldText(old, idName) ?? '') : 'row'
    const message = `${collection} ${id} needs its ${field}, so what it references in ${resource} cannot be deleted: delete or change it first. Nothing was changed.`
    throw new StorageError('STILL_REFERENCED', message)
  }
  const name = `${collection} ${fieldText(next, idName) ?? ''}`
  ruling.addReplaced(collection, old, next, { prefix: '', name })
  return next
}
