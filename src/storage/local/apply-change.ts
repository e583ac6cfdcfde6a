import { StorageError } from '../../errors.ts'
import { isSameJson } from '../../json/is-same-json.ts'
import { isWork, type Work } from '../../work/in-slices.ts'
import { applyPatch } from '../apply-patch.ts'
import type { BatchedOutcome, Change, ChangeKind, Filter, OutcomeByKind, WriteOptions } from '../change.ts'
import { isRow } from '../is-row.ts'
import { mergeFields } from '../merge-fields.ts'
import { isChildOf } from '../relations/relations.ts'
import type { Row } from '../types.ts'
import { applyEffect } from './apply-effect.ts'
import { mergedRows, patchedRows } from './changed-rows.ts'
import type { Draft } from './draft.ts'
import { refuseUnknown } from './refuse-unknown.ts'
import { removeRows } from './remove-rows.ts'

/** Most changes run synchronously; those that may take long are done in slices. */
type Appliers = {
  readonly [K in ChangeKind]: (
    draft: Draft,
    change: Change<K>,
    options: WriteOptions,
  ) => OutcomeByKind[K] | Work<OutcomeByKind[K]>
}

/** Applies a change to a draft. If it throws, the caller rolls the draft back. */
export function* applyChange<K extends ChangeKind>(
  draft: Draft,
  change: Change<K>,
  options: WriteOptions,
): Work<OutcomeByKind[K]> {
  const apply: Appliers[K] | undefined = APPLIERS[change.kind]
  if (!apply) throw new TypeError(`There is no change of the kind ${change.kind}.`)
  const outcome = apply(draft, change, options)
  return isWork(outcome) ? yield* outcome : outcome
}

const APPLIERS: Appliers = {
  *insert(draft, { collection, rows, place }) {
    if (draft.kindOf(collection) !== 'collection') return undefined
    const inserted = yield* draft.insert(collection, rows)
    if (place !== undefined) draft.place(collection, new Map(inserted.map((row, at) => [row, place + at])))
    return inserted
  },

  replace(draft, { collection, id, fields }, options) {
    const old = findRow(draft, collection, id, options)
    return old && replaceRow(draft, collection, old, keepKey(old, fields, options))
  },

  merge(draft, { collection, id, fields }, options) {
    const old = findRow(draft, collection, id, options)
    return old && replaceRow(draft, collection, old, keepKey(old, mergeFields(old, fields), options))
  },

  *patch(draft, { collection, id, patch }, options) {
    const old = findRow(draft, collection, id, options)
    if (!old) return undefined
    const patched = yield* applyPatch(old, patch, draft.naming.id)
    return replaceRow(draft, collection, old, keepKey(old, patched, options))
  },

  *remove(draft, { collection, id, dependents = [] }, options) {
    const row = findRow(draft, collection, id, options)
    if (!row) return undefined
    const place = yield* draft.placeOf(collection, row)
    yield* removeRows(draft, collection, [row], dependents)
    return { row, place }
  },

  *'merge-where'(draft, { collection, where, fields }, options) {
    const found = yield* findRows(draft, collection, where, options)
    return found && (yield* replaceRows(draft, collection, found, yield* mergedRows(found, fields), options))
  },

  *'patch-where'(draft, { collection, where, patch }, options) {
    const found = yield* findRows(draft, collection, where, options)
    if (!found) return undefined
    return yield* replaceRows(
      draft,
      collection,
      found,
      yield* patchedRows(found, patch, draft.naming),
      options,
    )
  },

  *'remove-where'(draft, { collection, where, dependents = [] }, options) {
    const found = yield* findRows(draft, collection, where, options)
    if (found) yield* removeRows(draft, collection, found, dependents)
    return found
  },

  'replace-object'(draft, { name, fields }, { unchangedSince }) {
    return setObject(draft, name, () => mergeFields({}, fields), unchangedSince)
  },

  'merge-object'(draft, { name, fields }, { unchangedSince }) {
    return setObject(draft, name, (old) => mergeFields(old, fields), unchangedSince)
  },

  *'patch-object'(draft, { name, patch }, { unchangedSince }) {
    const old = draft.object(name)
    if (!old) return undefined
    checkUnchanged(old, unchangedSince)
    const next = yield* applyPatch(old, patch)
    draft.setObject(name, next)
    return next
  },

  /** The engine handles this one itself: there is no difference to compute. */
  'replace-database'() {
    return undefined
  },

  *batch(draft, { changes }) {
    const parts: readonly Change[] = changes
    if (parts.some(({ kind }) => kind === 'replace-database')) {
      throw new TypeError('A batch cannot replace the whole database: make that a change of its own.')
    }
    const outcomes: BatchedOutcome[] = []
    for (const part of parts) outcomes.push(yield* applyChange(draft, part, {}))
    return outcomes
  },

  *apply(draft, { effects }) {
    for (const effect of effects) yield* applyEffect(draft, effect)
    return undefined
  },
}

/** The row to change, if it exists and still meets the precondition. */
function findRow(
  draft: Draft,
  collection: string,
  id: string,
  { unchangedSince, within }: WriteOptions,
): Row | undefined {
  const row = draft.find(collection, id)
  if (!row || (within && !isChildOf(row, within.key, within.id))) return undefined
  checkUnchanged(row, unchangedSince)
  return row
}

/** The path of a nested item contains its foreign key, which stays whatever the body says. */
function keepKey(old: Row, fields: Row, { within }: WriteOptions): Row {
  return within ? { ...fields, [within.key]: old[within.key] } : fields
}

/** Keeps the stored id, if there is one. */
function replaceRow(draft: Draft, collection: string, old: Row, fields: Row): Row {
  const next = withIdOf(old, fields, draft.naming.id)
  draft.replace(collection, old, next)
  return next
}

function* replaceRows(
  draft: Draft,
  collection: string,
  rows: readonly Row[],
  changed: readonly Row[],
  options: WriteOptions,
): Work<readonly Row[]> {
  const replaced: Row[] = []
  for (const [at, row] of rows.entries()) {
    replaced.push(replaceRow(draft, collection, row, keepKey(row, changed[at] ?? row, options)))
    // A row may have thousands of fields.
    yield
  }
  return replaced
}

function withIdOf(old: Row, fields: Row, id: string): Row {
  if (Object.hasOwn(old, id)) return { ...fields, [id]: old[id] }
  const { [id]: _, ...others } = fields
  return others
}

function setObject(
  draft: Draft,
  name: string,
  make: (old: Row) => Row,
  unchangedSince: Row | undefined,
): Row | undefined {
  const old = draft.object(name)
  if (!old) return undefined
  checkUnchanged(old, unchangedSince)
  const next = make(old)
  draft.setObject(name, next)
  return next
}

/** Entries of a collection that are not objects have no fields to merge, and no request can name them. */
function* findRows(
  draft: Draft,
  collection: string,
  where: Filter,
  { within }: WriteOptions,
): Work<readonly Row[] | undefined> {
  if (draft.kindOf(collection) !== 'collection') return undefined
  const query = { ...where, sort: [], window: { kind: 'all' as const }, embed: [], expand: [] }
  yield* refuseUnknown(draft.rows(collection) ?? [], query, draft.naming)
  const { items } = yield* draft.selecting(collection, query)
  return items.filter((row) => isRow(row) && (!within || isChildOf(row, within.key, within.id)))
}

function checkUnchanged(row: Row, unchangedSince: Row | undefined): void {
  if (unchangedSince === undefined || isSameJson(row, unchangedSince)) return
  throw new StorageError(
    'PRECONDITION_FAILED',
    'It was changed since it was read, and nothing was changed now: read it again.',
  )
}
