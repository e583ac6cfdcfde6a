import { applyPatch } from '../apply-patch.ts'
import type { BatchedOutcome, Change, OutcomeByKind, RowChange, WriteOptions } from '../change.ts'
import { Table } from '../data/table.ts'
import { mergeFields } from '../merge-fields.ts'
import type { CompiledRules } from '../rules/compiled-rules.ts'
import { judge } from '../rules/judge.ts'
import { Ruling } from '../rules/ruling.ts'
import type { Row } from '../types.ts'
import { Guard } from '../view/guard.ts'
import { changedRows, type MakeRow } from './changed-rows.ts'
import type { Draft } from './draft.ts'
import { findObject, findRow, findRows } from './find-target.ts'
import { removeRows } from './remove-rows.ts'
import { fieldsOf, insertRows, replaceObject, replaceRows, type Writing } from './write-rows.ts'

export type RowChangeKind = RowChange['kind']

type Appliers = {
  readonly [K in RowChangeKind]: (writing: Writing, change: Change<K>) => Promise<OutcomeByKind[K]>
}

/** Applies a change to a draft, which the caller drops if it throws. */
export async function applyChange<K extends RowChangeKind>(
  draft: Draft,
  change: Change<K>,
  options: WriteOptions,
  rules?: CompiledRules,
): Promise<OutcomeByKind[K]> {
  const guard = options.view && new Guard(options.view)
  const ruling = rules && new Ruling(rules, draft, guard)
  const outcome = await applyPart({ draft, options, ruling, guard }, change)
  if (ruling) await judge(ruling)
  return outcome
}

function applyPart<K extends RowChangeKind>(writing: Writing, change: Change<K>): Promise<OutcomeByKind[K]> {
  const apply: Appliers[K] | undefined = APPLIERS[change.kind]
  if (!apply) throw new TypeError(`There is no change of the kind ${change.kind}.`)
  return apply(writing, change)
}

const APPLIERS: Appliers = {
  async insert(writing, change) {
    const { collection } = change
    if (!writing.draft.database.table(collection)) return undefined
    writing.guard?.admit(collection, 'create')
    return insertRows(writing, change)
  },

  replace(writing, change) {
    const { collection, fields } = change
    return changeRow(writing, change, () => ({ ...fieldsOf(writing, collection, fields) }), true)
  },

  merge(writing, change) {
    const { collection, fields } = change
    return changeRow(writing, change, (old) => mergeFields(old, fieldsOf(writing, collection, fields)))
  },

  patch(writing, change) {
    const { id } = writing.draft.naming
    return changeRow(writing, change, (old) => applyPatch(old, change.patch, id))
  },

  async remove(writing, { collection, id, dependents = [] }) {
    const row = await findRow(writing, collection, id, 'delete')
    if (!row) return undefined
    const place = await writing.draft.placeOf(collection, row)
    await removeRows(writing, collection, [row], dependents)
    return { row, place }
  },

  'merge-where'(writing, change) {
    const fields = fieldsOf(writing, change.collection, change.fields)
    return changeRows(writing, change, (old) => mergeFields(old, fields), fields)
  },

  'patch-where'(writing, change) {
    const { patch } = change
    const { id } = writing.draft.naming
    const fields = patch.format === 'merge-patch' ? patch.fields : undefined
    return changeRows(writing, change, (old) => applyPatch(old, patch, id), fields)
  },

  async 'remove-where'(writing, { collection, where, dependents = [] }) {
    const found = await findRows(writing, collection, where, 'delete')
    if (found) await removeRows(writing, collection, found, dependents)
    return found
  },

  'replace-object'(writing, { name, fields }) {
    return changeObject(writing, name, () => mergeFields({}, fieldsOf(writing, name, fields)), true)
  },

  'merge-object'(writing, { name, fields }) {
    return changeObject(writing, name, (old) => mergeFields(old, fieldsOf(writing, name, fields)))
  },

  'patch-object'(writing, { name, patch }) {
    return changeObject(writing, name, (old) => applyPatch(old, patch))
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

async function changeRow(
  writing: Writing,
  { collection, id }: Change<'replace' | 'merge' | 'patch'>,
  make: MakeRow,
  isWhole = false,
): Promise<Row | undefined> {
  const old = await findRow(writing, collection, id, 'update')
  if (!old) return undefined
  const [row] = await replaceRows(writing, collection, [old], [await make(old)], { isWhole })
  return row
}

async function changeRows(
  writing: Writing,
  { collection, where }: Change<'merge-where' | 'patch-where'>,
  make: MakeRow,
  added: Row | undefined,
): Promise<readonly Row[] | undefined> {
  const found = await findRows(writing, collection, where, 'update')
  if (!found) return undefined
  const changed = await changedRows(found, make, added)
  return replaceRows(writing, collection, found, changed, { isFound: true })
}

async function changeObject(
  writing: Writing,
  name: string,
  make: MakeRow,
  isWhole = false,
): Promise<Row | undefined> {
  const old = findObject(writing, name)
  return old && replaceObject(writing, name, old, await make(old), isWhole)
}
