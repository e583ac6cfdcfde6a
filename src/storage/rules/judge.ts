import { StorageError } from '../../errors.ts'
import { fieldText } from '../data/lookup.ts'
import type { Row } from '../types.ts'
import { idIn, idsIn, valueAt } from './columns.ts'
import type { Pointer, UniqueFields } from './compiled-rules.ts'
import { FieldErrors } from './field-errors.ts'
import type { Written } from './journal.ts'
import type { RuledDraft } from './ruled-draft.ts'
import type { Ruling } from './ruling.ts'

/** Judges what a whole change would leave. Throws a `StorageError`, and the caller rolls the draft back. */
export async function judge(draft: RuledDraft, ruling: Ruling): Promise<void> {
  ruling.faults.refuse()
  const clashes = new FieldErrors('NOT_UNIQUE')
  for (const [collection, written] of ruling.journal.written) {
    for (const unique of ruling.of(collection)?.unique ?? []) {
      await findClashes(draft, collection, written, unique, clashes)
    }
  }
  clashes.refuse()
  for (const [collection, written] of ruling.journal.written) {
    for (const pointer of ruling.of(collection)?.pointers ?? []) {
      await findDangling(draft, written, pointer, ruling)
    }
  }
  ruling.faults.refuse()
  for (const [collection, removed] of ruling.journal.removed) {
    for (const pointer of ruling.rules.pointersTo(collection)) {
      if (pointer.onDelete === 'restrict') await refuseStranded(draft, ruling, removed, pointer)
    }
  }
}

/** Only rows whose key changed are judged. Of several new ones with the same key, all but the first are at fault. */
async function findClashes(
  draft: RuledDraft,
  collection: string,
  written: ReadonlyMap<Row, Written>,
  { fields, column }: UniqueFields,
  clashes: FieldErrors,
): Promise<void> {
  const judged = new Map<Row, { readonly key: string; readonly order: number }>()
  for (const [row, { before }] of written) {
    if (draft.pace.isDue) await draft.pace.turn()
    const [key] = column.keysOf(row)
    if (key !== undefined && !(before && column.keysOf(before)[0] === key)) {
      judged.set(row, { key, order: judged.size })
    }
  }
  if (judged.size === 0) return
  const lookup = await draft.keyed(collection, column)
  for (const [row, { key, order }] of judged) {
    if (draft.pace.isDue) await draft.pace.turn()
    const label = written.get(row)?.label
    const isTaken = lookup(key).some((other) => other !== row && (judged.get(other)?.order ?? -1) < order)
    if (!isTaken || !label) continue
    for (const path of fields) clashes.add(label, { path, message: takenMessage(path, fields) })
  }
}

function takenMessage(path: string, fields: readonly string[]): string {
  const others = fields.filter((field) => field !== path)
  return others.length === 0
    ? 'is already taken'
    : `is already taken in combination with ${others.join(' and ')}`
}

/**
 * Only ids that the change put there are judged: with `keep`, rows outlive what they point at. Not so with
 * `null` and `cascade`: an id that the change removed can only be there because it was put back.
 */
async function findDangling(
  draft: RuledDraft,
  written: ReadonlyMap<Row, Written>,
  pointer: Pointer,
  ruling: Ruling,
): Promise<void> {
  const { field, resource, onDelete } = pointer
  const removed =
    onDelete === 'null' || onDelete === 'cascade' ? ruling.journal.removed.get(resource) : undefined
  const gone = removed && (await goneIds(draft, resource, removed))
  for (const [row, { before, label }] of written) {
    if (draft.pace.isDue) await draft.pace.turn()
    const value = valueAt(row, field)
    if (!gone && before && valueAt(before, field) === value) continue
    const known = new Set(before ? idsIn(before, field).filter((id) => !gone?.has(id)) : [])
    for (const [path, entry] of placesOf(field, value)) {
      if (draft.pace.isDue) await draft.pace.turn()
      const [id] = idIn(entry)
      if (id === undefined || known.has(id)) continue
      const found = await draft.find(resource, id)
      if (found && ruling.mayName(pointer, found)) continue
      ruling.faults.add(label, {
        path,
        message: `must be the ${draft.naming.id} of one of ${resource}: there is no ${shown(id)}`,
      })
    }
  }
}

/** Ids that rows had which were removed, and that no other row has. */
async function goneIds(
  draft: RuledDraft,
  collection: string,
  removed: ReadonlySet<Row>,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const row of removed) {
    if (draft.pace.isDue) await draft.pace.turn()
    const id = fieldText(row, draft.naming.id)
    if (id !== undefined && !(await draft.find(collection, id))) ids.add(id)
  }
  return ids
}

function* placesOf(field: string, value: unknown): Generator<readonly [string, unknown]> {
  if (!Array.isArray(value)) yield [field, value]
  else for (const [at, entry] of value.entries()) yield [`${field}.${at}`, entry]
}

/** Refuses to remove rows that others still point at. */
async function refuseStranded(
  draft: RuledDraft,
  ruling: Ruling,
  removed: ReadonlySet<Row>,
  { resource: collection, collection: holder, field, column }: Pointer,
): Promise<void> {
  const lookup = await draft.keyed(holder, column)
  for (const row of removed) {
    if (draft.pace.isDue) await draft.pace.turn()
    const id = fieldText(row, draft.naming.id)
    // It may be there again, or another row may have the same id.
    if (id === undefined || (await draft.find(collection, id))) continue
    const [first, ...others] = lookup(id)
    if (first === undefined) continue
    const isKnown = [first, ...others].every((other) => ruling.maySay(holder, other))
    const name = isKnown ? `${holder} ${shown(fieldText(first, draft.naming.id) ?? '')}`.trim() : holder
    const more = isKnown && others.length > 0 ? ` and ${others.length} more` : ''
    throw new StorageError(
      'STILL_REFERENCED',
      `${collection} ${shown(id)} is still referenced by ${name}${more} (${field}): delete or change those first. Nothing was changed.`,
    )
  }
}

/** Messages stay short. */
function shown(id: string): string {
  return id.length > 40 ? `${id.slice(0, 40)}…` : id
}
