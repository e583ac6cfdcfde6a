import { Guard } from '../access/guard.ts'
import type { BatchedOutcome, Change, OutcomeByKind, RowChange, WriteOptions } from '../change.ts'
import { Table } from '../data/table.ts'
import type { CompiledRules } from '../rules/compiled-rules.ts'
import { checkRules } from '../rules/judge.ts'
import { Ruling } from '../rules/ruling.ts'
import type { Row } from '../types.ts'
import { applyPatch, changedRows, type MakeRow, mergeFields } from './changed-rows.ts'
import type { Draft } from './draft.ts'
import { findObject, findRow, findRows } from './find-target.ts'
import { removeRows } from './remove-rows.ts'
import { fieldsOf, insertRows, replaceObject, replaceRows, type WriteContext } from './write-rows.ts'

type RowChangeKind = RowChange['kind']

type Appliers = {
  readonly [K in RowChangeKind]: (writing: WriteContext, change: Change<K>) => Promise<OutcomeByKind[K]>
}

export async function applyChange<K extends RowChangeKind>(
  draft: Draft,
  change: Change<K>,
  options: WriteOptions,
  rules?: CompiledRules,
): Promise<OutcomeByKind[K]> {
  const guard = options.access && new Guard(options.access)
  const ruling = rules && new Ruling(rules, draft, guard)
  const outcome = await applyPart({ draft, options, ruling, guard }, change)
  if (ruling) await checkRules(ruling)
  return outcome
}

function applyPart<K extends RowChangeKind>(
  writing: WriteContext,
  change: Change<K>,
): Promise<OutcomeByKind[K]> {
  const apply: Appliers[K] | undefined = APPLIERS[change.kind]
  if (!apply) throw new TypeError(`There is no change of the kind ${change.kind}.`)
  return apply(writing, change)
}

const APPLIERS: Appliers = {
  async insert(writing, change) {
    const { collection } = change
    if (!writing.draft.database.table(collection)) return undefined
    writing.guard?.requireRight(collection, 'create')
    return insertRows(writing, change)
  },

  replace: changeRow,
  merge: changeRow,
  patch: changeRow,
  'merge-where': changeRows,
  'patch-where': changeRows,
  'replace-object': changeObject,
  'merge-object': changeObject,
  'patch-object': changeObject,

  async remove(writing, { collection, id, dependents = [] }) {
    const row = await findRow(writing, collection, id, 'delete')
    if (!row) return undefined
    const place = await writing.draft.positionOf(collection, row)
    await removeRows(writing, collection, [row], dependents)
    return { row, place }
  },

  async 'remove-where'(writing, { collection, where, dependents = [] }) {
    const found = await findRows(writing, collection, where, 'delete')
    if (found) await removeRows(writing, collection, found, dependents)
    return found
  },

  async 'create-collection'({ draft, guard }, { name }) {
    guard?.checkAdmin()
    if (!draft.database.parts.has(name)) draft.set(name, Table.of([]))
    return undefined
  },

  async batch({ draft, options, ruling, guard }, { changes }) {
    const outcomes: BatchedOutcome[] = []
    const prefix = ruling?.prefix ?? ''
    const parted: WriteOptions = { seals: options.seals, proof: options.proof }
    for (const [at, part] of changes.entries()) {
      if (ruling) ruling.prefix = `${prefix}${at}.`
      outcomes.push(await applyPart({ draft, options: parted, ruling, guard }, part))
    }
    if (ruling) ruling.prefix = prefix
    return outcomes
  },
}

type RowMade = Change<'replace' | 'merge' | 'patch'>
type RowsMade = Change<'merge-where' | 'patch-where'>
type ObjectMade = Change<'replace-object' | 'merge-object' | 'patch-object'>

async function changeRow(writing: WriteContext, change: RowMade): Promise<Row | undefined> {
  const { kind, collection, id } = change
  const old = await findRow(writing, collection, id, 'update')
  if (!old) return undefined
  const next = await makerOf(writing, collection, change)(old)
  const [row] = await replaceRows(writing, collection, [old], [next], { isWhole: kind === 'replace' })
  return row
}

async function changeRows(writing: WriteContext, change: RowsMade): Promise<readonly Row[] | undefined> {
  const { collection, where } = change
  const found = await findRows(writing, collection, where, 'update')
  if (!found) return undefined
  const changed = await changedRows(found, makerOf(writing, collection, change), addedBy(writing, change))
  return replaceRows(writing, collection, found, changed, { isFound: true })
}

async function changeObject(writing: WriteContext, change: ObjectMade): Promise<Row | undefined> {
  const { kind, name } = change
  const old = findObject(writing, name)
  if (!old) return undefined
  const next = await makerOf(writing, name, change)(old)
  return replaceObject(writing, name, old, next, kind === 'replace-object')
}

function makerOf(writing: WriteContext, resource: string, change: RowMade | RowsMade | ObjectMade): MakeRow {
  if ('patch' in change) {
    const id = 'collection' in change ? writing.draft.naming.id : undefined
    return (old) => applyPatch(old, change.patch, id)
  }
  const fields = fieldsOf(writing, resource, change.fields)
  if (change.kind === 'replace') return () => ({ ...fields })
  return (old) => mergeFields(change.kind === 'replace-object' ? {} : old, fields)
}

/** An upper bound of what each row gains; undefined if it depends on the row. */
function addedBy(writing: WriteContext, change: RowsMade): Row | undefined {
  if ('fields' in change) return fieldsOf(writing, change.collection, change.fields)
  return change.patch.format === 'merge-patch' ? change.patch.fields : undefined
}
