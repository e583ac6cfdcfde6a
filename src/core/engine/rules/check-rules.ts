import { StorageError } from '../../kernel/catalogue/error-classes.ts'
import { shorten } from '../../kernel/util/shorten.ts'
import { fieldText } from '../data/lookup.ts'
import { idOf } from '../id-of.ts'
import type { Row } from '../types.ts'
import { type CompiledReference, idIn, idsIn, type UniqueFields, valueAt } from './compiled-rules.ts'
import { FieldErrors, type RuleCheck, type WrittenRows } from './rule-check.ts'

/** Checks the result of a whole change. Throws a `StorageError`: the caller drops the draft. */
export async function checkRowRules(ruling: RuleCheck): Promise<void> {
  ruling.faults.throwIfAny()
  const clashes = new FieldErrors('NOT_UNIQUE')
  for (const [collection, written] of ruling.written) {
    for (const unique of ruling.of(collection)?.unique ?? []) {
      await findClashes(ruling, collection, written, unique, clashes)
    }
  }
  clashes.throwIfAny()
  for (const [collection, written] of ruling.written) {
    for (const reference of ruling.of(collection)?.references ?? [])
      await findDangling(ruling, written, reference)
  }
  ruling.faults.throwIfAny()
  for (const collection of ruling.removed.keys()) {
    for (const reference of ruling.rules.referencesTo(collection)) {
      const { onDelete } = reference
      // With `cascade`, only a hook can have added one since.
      if (onDelete === 'restrict' || onDelete === 'cascade') await refuseIfReferenced(ruling, reference)
    }
  }
}

/** Checks rows whose key changed. Of several new ones with the same key, all but the first are at fault. */
async function findClashes(
  { draft }: RuleCheck,
  collection: string,
  written: WrittenRows,
  { fields, column }: UniqueFields,
  clashes: FieldErrors,
): Promise<void> {
  const judged = new Map<Row, { readonly key: string; readonly order: number }>()
  for (const [row, { before }] of written) {
    if (draft.pace.isUsedUp) await draft.pace.yieldToEventLoop()
    const [key] = column.keysOf(row)
    if (key !== undefined && !(before && column.keysOf(before)[0] === key)) {
      judged.set(row, { key, order: judged.size })
    }
  }
  if (judged.size === 0) return
  const lookup = await draft.keyed(collection, column)
  const idName = idOf(collection, draft.naming)
  for (const [row, { key, order }] of judged) {
    if (draft.pace.isUsedUp) await draft.pace.yieldToEventLoop()
    const label = written.get(row)?.label
    // A row of the same id is this one, as a hook has written it since.
    const id = row[idName]
    const isOther = (other: Row) => other !== row && (id === undefined || other[idName] !== id)
    const isTaken = lookup(key).some((other) => isOther(other) && (judged.get(other)?.order ?? -1) < order)
    if (!isTaken || !label) continue
    for (const path of fields) {
      const others = fields.filter((field) => field !== path).join(' and ')
      const message = `is already taken${others === '' ? '' : ` in combination with ${others}`}`
      clashes.add(label, { path, message })
    }
  }
}

/** Checks added ids only, since with `keep` rows outlive what they reference; with `null` and `cascade`, all ids. */
async function findDangling(
  ruling: RuleCheck,
  written: WrittenRows,
  reference: CompiledReference,
): Promise<void> {
  const { field, resource, onDelete } = reference
  const { naming, pace } = ruling.draft
  const releases = (onDelete === 'null' || onDelete === 'cascade') && ruling.removed.has(resource)
  const gone = releases ? await ruling.goneIds(resource) : undefined
  let find: ((id: string) => Row | undefined) | undefined
  let mayReference: ((row: Row) => boolean) | undefined
  for (const [row, { before, label }] of written) {
    if (pace.isUsedUp) await pace.yieldToEventLoop()
    const value = valueAt(row, field)
    if (!gone && before && valueAt(before, field) === value) continue
    const oldIds = new Set(before ? idsIn(before, field).filter((id) => !gone?.has(id)) : [])
    for (const [path, entry] of entriesOf(field, value)) {
      if (pace.isUsedUp) await pace.yieldToEventLoop()
      const [id] = idIn(entry)
      if (id === undefined || oldIds.has(id)) continue
      find ??= await ruling.finder(resource)
      mayReference ??= await ruling.referenceTest(reference)
      const target = find(id)
      if (target && mayReference(target)) continue
      const message = `must be the ${idOf(resource, naming)} of one of ${resource}: there is no ${shorten(id)}`
      ruling.faults.add(label, { path, message })
    }
  }
}

function* entriesOf(field: string, value: unknown): Generator<readonly [string, unknown]> {
  if (!Array.isArray(value)) yield [field, value]
  else for (const [at, entry] of value.entries()) yield [`${field}.${at}`, entry]
}

async function refuseIfReferenced(ruling: RuleCheck, reference: CompiledReference): Promise<void> {
  const { resource: collection, collection: holder, field, column } = reference
  const { draft } = ruling
  const lookup = await draft.keyed(holder, column)
  const mayRead = await ruling.readTest(holder)
  for (const id of await ruling.goneIds(collection)) {
    if (draft.pace.isUsedUp) await draft.pace.yieldToEventLoop()
    const [first, ...others] = lookup(id)
    if (first === undefined) continue
    const isKnown = [first, ...others].every(mayRead)
    const own = isKnown ? fieldText(first, idOf(holder, draft.naming)) : undefined
    const name = `${holder} ${shorten(own ?? '')}`.trim()
    const more = isKnown && others.length > 0 ? ` and ${others.length} more` : ''
    const message = `${collection} ${shorten(id)} is still referenced by ${name}${more} (${field}): delete or change those first. Nothing was changed.`
    throw new StorageError('STILL_REFERENCED', message)
  }
}
