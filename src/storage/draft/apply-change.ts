import { applyPatch } from '../apply-patch.ts'
import type { BatchedOutcome, Change, ChangeKind, OutcomeByKind, WriteOptions } from '../change.ts'
import { Table } from '../data/table.ts'
import { mergeFields } from '../merge-fields.ts'
import type { CompiledRules } from '../rules/compiled-rules.ts'
import { judge } from '../rules/judge.ts'
import { Ruling } from '../rules/ruling.ts'
import type { Row } from '../types.ts'
import { Guard } from '../view/guard.ts'
import { mergedRows, patchedRows } from './changed-rows.ts'
import type { Draft } from './draft.ts'
import { findObject, findRow, findRows } from './find-target.ts'
import { removeRows } from './remove-rows.ts'
import { fieldsOf, insertRows, replaceObject, replaceRows, type Writing } from './write-rows.ts'

/** Changes that are made row by row: not of everything, and not by what the history says. */
export type RowChangeKind = Exclude<ChangeKind, 'replace-database' | 'move'>

type Appliers = {
  readonly [K in RowChangeKind]: (
    writing: Writing,
    change: Change<K>,
  ) => OutcomeByKind[K] | Promise<OutcomeByKind[K]>
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

function applyPart<K extends RowChangeKind>(
  writing: Writing,
  change: Change<K>,
): OutcomeByKind[K] | Promise<OutcomeByKind[K]> {
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

  async 'merge-where'(writing, { collection, where, fields }) {
    const found = await findRows(writing, collection, where, 'update')
    if (!found) return undefined
    const merged = await mergedRows(found, fieldsOf(writing, collection, fields))
    return replaceRows(writing, collection, found, merged, { isFound: true })
  },

  async 'patch-where'(writing, { collection, where, patch }) {
    const found = await findRows(writing, collection, where, 'update')
    if (!found) return undefined
    const patched = await patchedRows(found, patch, writing.draft.naming)
    return replaceRows(writing, collection, found, patched, { isFound: true })
  },

  async 'remove-where'(writing, { collection, where, dependents = [] }) {
    const found = await findRows(writing, collection, where, 'delete')
    if (found) await removeRows(writing, collection, found, dependents)
    return found
  },

  'replace-object'(writing, { name, fields }) {
    const old = findObject(writing, name)
    return old && replaceObject(writing, name, old, mergeFields({}, fieldsOf(writing, name, fields)), true)
  },

  'merge-object'(writing, { name, fields }) {
    const old = findObject(writing, name)
    return old && replaceObject(writing, name, old, mergeFields(old, fieldsOf(writing, name, fields)))
  },

  async 'patch-object'(writing, { name, patch }) {
    const old = findObject(writing, name)
    return old && replaceObject(writing, name, old, await applyPatch(old, patch))
  },

  'create-collection'({ draft, guard }, { name }) {
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
  { collection, id }: { readonly collection: string; readonly id: string },
  make: (old: Row) => Row | Promise<Row>,
  isWhole = false,
): Promise<Row | undefined> {
  const old = await findRow(writing, collection, id, 'update')
  if (!old) return undefined
  const [row] = await replaceRows(writing, collection, [old], [await make(old)], { isWhole })
  return row
}
