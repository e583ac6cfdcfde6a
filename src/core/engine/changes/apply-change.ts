import type { BatchedOutcome, Change, OutcomeByKind, RowChange, WriteOptions } from '../change.ts'
import { Table } from '../data/table.ts'
import { idOf } from '../id-of.ts'
import { requireAdmin } from '../rules/check-access.ts'
import { checkRowRules } from '../rules/check-rules.ts'
import type { CompiledRules } from '../rules/compiled-rules.ts'
import { RuleCheck } from '../rules/rule-check.ts'
import type { Row } from '../types.ts'
import { applyPatch, changedRows, type MakeRow, mergeFields } from './changed-rows.ts'
import type { Draft } from './draft.ts'
import { findObject, findRow, findRows } from './find-target.ts'
import { removeRows } from './remove-rows.ts'
import type { Before, WriteContext } from './write-context.ts'
import { fieldsOf, insertRows, replaceObject, replaceRows } from './write-rows.ts'

type RowChangeKind = RowChange['kind']

type Appliers = {
  readonly [K in RowChangeKind]: (context: WriteContext, change: Change<K>) => Promise<OutcomeByKind[K]>
}

export async function applyChange<K extends RowChangeKind>(
  draft: Draft,
  change: Change<K>,
  options: WriteOptions,
  rules?: CompiledRules,
  before?: Before,
): Promise<OutcomeByKind[K]> {
  const { access } = options
  const ruling = rules && new RuleCheck(rules, draft, access)
  const outcome = await applyPart({ draft, options, ruling, access, before }, change)
  if (ruling) await checkRowRules(ruling)
  return outcome
}

function applyPart<K extends RowChangeKind>(
  context: WriteContext,
  change: Change<K>,
): Promise<OutcomeByKind[K]> {
  const apply: Appliers[K] | undefined = APPLIERS[change.kind]
  if (!apply) throw new TypeError(`There is no change of the kind ${change.kind}.`)
  return apply(context, change)
}

const APPLIERS: Appliers = {
  insert: insertRows,
  replace: changeRow,
  merge: changeRow,
  patch: changeRow,
  'merge-where': changeRows,
  'patch-where': changeRows,
  'replace-object': changeObject,
  'merge-object': changeObject,
  'patch-object': changeObject,

  async remove(context, { collection, id, dependents = [] }) {
    const row = await findRow(context, collection, id, 'delete')
    if (!row) return undefined
    const place = await context.draft.positionOf(collection, row)
    await removeRows(context, collection, [row], dependents)
    return { row, place }
  },

  async 'remove-where'(context, { collection, where, dependents = [] }) {
    const rows = await findRows(context, collection, where, 'delete')
    if (rows) await removeRows(context, collection, rows, dependents)
    return rows
  },

  async 'create-collection'({ draft, access }, { name }) {
    if (access) requireAdmin(access)
    if (!draft.database.parts.has(name)) draft.set(name, Table.of([]))
    return undefined
  },

  async batch({ options, ruling, ...context }, { changes, names = [] }) {
    const outcomes: BatchedOutcome[] = []
    const prefix = ruling?.prefix ?? ''
    const parted: WriteOptions = { seals: options.seals, proof: options.proof }
    for (const [at, part] of changes.entries()) {
      if (ruling) ruling.prefix = `${prefix}${names[at] ?? at}.`
      outcomes.push(await applyPart({ ...context, options: parted, ruling }, part))
    }
    if (ruling) ruling.prefix = prefix
    return outcomes
  },
}

type RowMade = Change<'replace' | 'merge' | 'patch'>
type RowsMade = Change<'merge-where' | 'patch-where'>
type ObjectMade = Change<'replace-object' | 'merge-object' | 'patch-object'>

async function changeRow(context: WriteContext, change: RowMade): Promise<Row | undefined> {
  const { kind, collection, id } = change
  const old = await findRow(context, collection, id, 'update')
  if (!old) return undefined
  const next = await makerOf(context, collection, change)(old)
  const [row] = await replaceRows(context, collection, [old], [next], { isWhole: kind === 'replace' })
  return row
}

async function changeRows(context: WriteContext, change: RowsMade): Promise<readonly Row[] | undefined> {
  const { collection, where } = change
  const rows = await findRows(context, collection, where, 'update')
  if (!rows) return undefined
  const changed = await changedRows(rows, makerOf(context, collection, change), addedBy(context, change))
  return replaceRows(context, collection, rows, changed, { isFound: true })
}

async function changeObject(context: WriteContext, change: ObjectMade): Promise<Row | undefined> {
  const { kind, name } = change
  const old = await findObject(context, name)
  if (!old) return undefined
  const next = await makerOf(context, name, change)(old)
  return replaceObject(context, name, old, next, kind === 'replace-object')
}

function makerOf(context: WriteContext, resource: string, change: RowMade | RowsMade | ObjectMade): MakeRow {
  if ('patch' in change) {
    const id = 'collection' in change ? idOf(resource, context.draft.naming) : undefined
    return (old) => applyPatch(old, change.patch, id)
  }
  const fields = fieldsOf(context, resource, change.fields)
  if (change.kind === 'replace') return () => ({ ...fields })
  return (old) => mergeFields(change.kind === 'replace-object' ? {} : old, fields)
}

/** An upper bound of what each row gains; undefined if it depends on the row. */
function addedBy(context: WriteContext, change: RowsMade): Row | undefined {
  if ('fields' in change) return fieldsOf(context, change.collection, change.fields)
  return change.patch.format === 'merge-patch' ? change.patch.fields : undefined
}
