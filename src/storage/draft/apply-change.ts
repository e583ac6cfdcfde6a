import { StorageError } from '../../errors.ts'
import { isSameJson } from '../../json/is-same-json.ts'
import { isWork, type Work } from '../../work/in-slices.ts'
import { applyPatch } from '../apply-patch.ts'
import type { BatchedOutcome, Change, ChangeKind, Filter, OutcomeByKind, WriteOptions } from '../change.ts'
import { isRow } from '../is-row.ts'
import { mergeFields } from '../merge-fields.ts'
import { isChildOf } from '../relations/relations.ts'
import type { CompiledRules } from '../rules/compiled-rules.ts'
import { judge } from '../rules/judge.ts'
import { Ruling } from '../rules/ruling.ts'
import type { Data, ListQuery, Row } from '../types.ts'
import { Guard } from '../view/guard.ts'
import type { Action } from '../view.ts'
import { applyEffect } from './apply-effect.ts'
import { mergedRows, patchedRows } from './changed-rows.ts'
import type { Draft } from './draft.ts'
import { fieldsOfRows } from './known-fields.ts'
import { refuseTraps, refuseUnknown } from './refuse-unknown.ts'
import { removeRows } from './remove-rows.ts'
import { fieldsOf, insertRows, replaceObject, replaceRow, replaceRows, type Writing } from './write-rows.ts'

/** Most changes run synchronously; those that may take long are done in slices. */
type Appliers = {
  readonly [K in ChangeKind]: (
    writing: Writing,
    change: Change<K>,
  ) => OutcomeByKind[K] | Work<OutcomeByKind[K]>
}

/** Applies a change to a draft. If it throws, the caller rolls the draft back. */
export function* applyChange<K extends ChangeKind>(
  draft: Draft,
  change: Change<K>,
  options: WriteOptions,
  rules?: CompiledRules,
): Work<OutcomeByKind[K]> {
  const guard = options.view && new Guard(options.view)
  const ruling = rules && new Ruling(rules, guard)
  const outcome = yield* applyPart({ draft, options, ruling, guard }, change)
  if (ruling) yield* judge(draft, ruling)
  return outcome
}

/** What a change replaces everything with, if it does. */
export function replacementIn(change: { readonly kind: ChangeKind; readonly data?: Data }): Data | undefined {
  return change.kind === 'replace-database' ? change.data : undefined
}

/** Applies a change, or part of one. */
function* applyPart<K extends ChangeKind>(writing: Writing, change: Change<K>): Work<OutcomeByKind[K]> {
  const apply: Appliers[K] | undefined = APPLIERS[change.kind]
  if (!apply) throw new TypeError(`There is no change of the kind ${change.kind}.`)
  const outcome = apply(writing, change)
  return isWork(outcome) ? yield* outcome : outcome
}

const APPLIERS: Appliers = {
  *insert(writing, change) {
    const { draft } = writing
    const { collection, place } = change
    if (draft.kindOf(collection) !== 'collection') return undefined
    writing.guard?.admit(collection, 'create')
    const inserted = yield* insertRows(writing, change)
    if (place !== undefined) draft.place(collection, new Map(inserted.map((row, at) => [row, place + at])))
    return inserted
  },

  replace(writing, { collection, id, fields }) {
    const old = findRow(writing, collection, id, 'update')
    return (
      old &&
      replaceRow(writing, collection, old, fieldsOf(writing, collection, fields), {
        isWhole: true,
      })
    )
  },

  merge(writing, { collection, id, fields }) {
    const old = findRow(writing, collection, id, 'update')
    return (
      old && replaceRow(writing, collection, old, mergeFields(old, fieldsOf(writing, collection, fields)))
    )
  },

  *patch(writing, { collection, id, patch }) {
    const old = findRow(writing, collection, id, 'update')
    if (!old) return undefined
    return replaceRow(writing, collection, old, yield* applyPatch(old, patch, writing.draft.naming.id))
  },

  *remove(writing, { collection, id, dependents = [] }) {
    const row = findRow(writing, collection, id, 'delete')
    if (!row) return undefined
    const place = yield* writing.draft.placeOf(collection, row)
    yield* removeRows(writing, collection, [row], dependents)
    return { row, place }
  },

  *'merge-where'(writing, { collection, where, fields }) {
    const found = yield* findRows(writing, collection, where, 'update')
    if (!found) return undefined
    const merged = yield* mergedRows(found, fieldsOf(writing, collection, fields))
    return yield* replaceRows(writing, collection, found, merged)
  },

  *'patch-where'(writing, { collection, where, patch }) {
    const found = yield* findRows(writing, collection, where, 'update')
    if (!found) return undefined
    const patched = yield* patchedRows(found, patch, writing.draft.naming)
    return yield* replaceRows(writing, collection, found, patched)
  },

  *'remove-where'(writing, { collection, where, dependents = [] }) {
    const found = yield* findRows(writing, collection, where, 'delete')
    if (found) yield* removeRows(writing, collection, found, dependents)
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

  *'patch-object'(writing, { name, patch }) {
    const old = findObject(writing, name)
    return old && replaceObject(writing, name, old, yield* applyPatch(old, patch))
  },

  'create-collection'({ draft, guard }, { name }) {
    guard?.checkAdmin()
    draft.createCollection(name)
    return undefined
  },

  /** The engine handles this one itself: there is no difference to compute. */
  'replace-database'({ guard }) {
    guard?.checkAdmin()
    return undefined
  },

  *batch({ draft, options, ruling, guard }, { changes }) {
    const parts: readonly Change[] = changes
    if (parts.some(({ kind }) => kind === 'replace-database')) {
      throw new TypeError('A batch cannot replace the whole database: make that a change of its own.')
    }
    const outcomes: BatchedOutcome[] = []
    const prefix = ruling?.prefix ?? ''
    const parted: WriteOptions = { seals: options.seals, proof: options.proof }
    for (const [at, part] of parts.entries()) {
      if (ruling) ruling.prefix = `${prefix}${at}.`
      outcomes.push(yield* applyPart({ draft, options: parted, ruling, guard }, part))
    }
    if (ruling) ruling.prefix = prefix
    return outcomes
  },

  *apply({ draft, guard }, { effects }) {
    guard?.checkAdmin()
    for (const effect of effects) yield* applyEffect(draft, effect)
    return undefined
  },
}

/** The row to change, if it exists and the client may change it, and it still meets the precondition. */
function findRow(
  { draft, options, guard }: Writing,
  collection: string,
  id: string,
  action: Action,
): Row | undefined {
  const { unchangedSince, within } = options
  guard?.admit(collection, action)
  const row = draft.find(collection, id)
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
function* findRows(
  { draft, ruling, options: { within }, guard }: Writing,
  collection: string,
  where: Filter,
  action: Action,
): Work<readonly Row[] | undefined> {
  if (draft.kindOf(collection) !== 'collection') return undefined
  guard?.admit(collection, action)
  const asked = { ...where, sort: [], window: { kind: 'all' as const }, embed: [], expand: [] }
  const isDeclared = (path: string) => ruling?.of(collection)?.names.has(path) === true
  const own = guard?.limitOf(collection)
  const known =
    guard && own
      ? fieldsOfRows(yield* guard.rowsIn(draft, collection), draft.naming)
      : draft.fields(collection)
  const query = yield* refuseUnknown(known, asked, draft.naming, isDeclared)
  if (own && !known.hasRows) return []
  const select = (one: ListQuery) =>
    draft.selecting(collection, own ? { ...one, where: [...one.where, own] } : one)
  const { items } = yield* select(query)
  yield* refuseTraps({ naming: draft.naming, has: (path) => known.has(path), select }, asked, items)
  const found = items.filter((row) => isRow(row) && (!within || isChildOf(row, within.key, within.id)))
  if (guard) yield* guard.checkAll(collection, action, found)
  return found
}

function checkUnchanged(row: Row, unchangedSince: Row | undefined): void {
  if (unchangedSince === undefined || isSameJson(row, unchangedSince)) return
  throw new StorageError(
    'PRECONDITION_FAILED',
    'It was changed since it was read, and nothing was changed now: read it again.',
  )
}
