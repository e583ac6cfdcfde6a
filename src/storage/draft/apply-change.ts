import { StorageError } from '../../errors.ts'
import { isSameJson } from '../../json/is-same-json.ts'
import { applyPatch } from '../apply-patch.ts'
import type { BatchedOutcome, Change, ChangeKind, Filter, OutcomeByKind, WriteOptions } from '../change.ts'
import { hasField } from '../data/fields.ts'
import { Table } from '../data/table.ts'
import { isRow } from '../is-row.ts'
import { mergeFields } from '../merge-fields.ts'
import { isChildOf } from '../relations/relations.ts'
import type { CompiledRules } from '../rules/compiled-rules.ts'
import { judge } from '../rules/judge.ts'
import { Ruling } from '../rules/ruling.ts'
import { select } from '../select/select.ts'
import type { ListQuery, Row } from '../types.ts'
import { Guard } from '../view/guard.ts'
import { limitTo } from '../view/limit-to.ts'
import type { Action } from '../view.ts'
import { mergedRows, patchedRows } from './changed-rows.ts'
import type { Draft } from './draft.ts'
import { refuseTraps, refuseUnknown } from './refuse-unknown.ts'
import { removeRows } from './remove-rows.ts'
import { fieldsOf, insertRows, replaceObject, replaceRow, replaceRows, type Writing } from './write-rows.ts'

/** Changes that are made row by row. */
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
  const ruling = rules && new Ruling(rules, guard)
  const outcome = await applyPart({ draft, options, ruling, guard }, change)
  if (ruling) await judge(draft, ruling)
  return outcome
}

/** Applies a change, or part of one. */
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
    const { draft } = writing
    const { collection } = change
    if (draft.kindOf(collection) !== 'collection') return undefined
    writing.guard?.admit(collection, 'create')
    return insertRows(writing, change)
  },

  async replace(writing, { collection, id, fields }) {
    const old = await findRow(writing, collection, id, 'update')
    return (
      old &&
      replaceRow(writing, collection, old, fieldsOf(writing, collection, fields), {
        isWhole: true,
      })
    )
  },

  async merge(writing, { collection, id, fields }) {
    const old = await findRow(writing, collection, id, 'update')
    return (
      old && replaceRow(writing, collection, old, mergeFields(old, fieldsOf(writing, collection, fields)))
    )
  },

  async patch(writing, { collection, id, patch }) {
    const old = await findRow(writing, collection, id, 'update')
    if (!old) return undefined
    return replaceRow(writing, collection, old, await applyPatch(old, patch, writing.draft.naming.id))
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
    return await replaceRows(writing, collection, found, merged)
  },

  async 'patch-where'(writing, { collection, where, patch }) {
    const found = await findRows(writing, collection, where, 'update')
    if (!found) return undefined
    const patched = await patchedRows(found, patch, writing.draft.naming)
    return await replaceRows(writing, collection, found, patched)
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
    draft.createCollection(name)
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

/** The row to change, if it exists and the client may change it, and it still meets the precondition. */
async function findRow(
  { draft, options, guard }: Writing,
  collection: string,
  id: string,
  action: Action,
): Promise<Row | undefined> {
  const { unchangedSince, within } = options
  guard?.admit(collection, action)
  const row = await draft.find(collection, id)
  if (!row || (within && !isChildOf(row, within.key, within.id))) return undefined
  if (guard && !guard.sees(collection, row)) return undefined
  guard?.check(collection, action, row)
  checkUnchanged(row, unchangedSince)
  return row
}

/** The object to change, likewise. */
function findObject({ draft, options, guard }: Writing, name: string): Row | undefined {
  guard?.admit(name, 'update')
  const object = draft.object(name)
  if (!object || (guard && !guard.sees(name, object))) return undefined
  guard?.check(name, 'update', object)
  checkUnchanged(object, options.unchangedSince)
  return object
}

/** Entries of a collection that are not objects have no fields to merge, and no request can name them. */
async function findRows(
  { draft, ruling, options: { within }, guard }: Writing,
  collection: string,
  where: Filter,
  action: Action,
): Promise<readonly Row[] | undefined> {
  if (draft.kindOf(collection) !== 'collection') return undefined
  guard?.admit(collection, action)
  const asked = { ...where, sort: [], window: { kind: 'all' as const }, embed: [], expand: [] }
  const isDeclared = (path: string) => ruling?.of(collection)?.names.has(path) === true
  const source = guard ? limitTo(draft, guard.view) : draft
  const table = (await source.table(collection)) ?? Table.of([])
  const query = await refuseUnknown(table, asked, draft.naming, isDeclared)
  const find = (one: ListQuery) => select(table, one, draft.naming)
  const { items } = await find(query)
  await refuseTraps(
    { naming: draft.naming, has: async (path) => hasField(table, path), select: find },
    asked,
    items,
  )
  const found = items.filter((row) => isRow(row) && (!within || isChildOf(row, within.key, within.id)))
  if (guard) await guard.checkAll(collection, action, found)
  return found
}

function checkUnchanged(row: Row, unchangedSince: Row | undefined): void {
  if (unchangedSince === undefined || isSameJson(row, unchangedSince)) return
  throw new StorageError(
    'PRECONDITION_FAILED',
    'It was changed since it was read, and nothing was changed now: read it again.',
  )
}
