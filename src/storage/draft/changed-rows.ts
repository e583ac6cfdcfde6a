import { StorageError } from '../../errors.ts'
import { measure } from '../../json/patch/measure.ts'
import type { Work } from '../../work/in-slices.ts'
import { applyPatch, type Patch } from '../apply-patch.ts'
import { mergeFields } from '../merge-fields.ts'
import type { Naming, Row } from '../types.ts'

/** Merges the same fields into many rows. */
export function* mergedRows(rows: readonly Row[], fields: Row): Work<readonly Row[]> {
  yield* checkGrowth(rows.length, fields)
  const merged: Row[] = []
  for (const row of rows) {
    merged.push(mergeFields(row, fields))
    // A row may have thousands of fields.
    yield
  }
  return merged
}

/** Applies the same patch to many rows. */
export function* patchedRows(rows: readonly Row[], patch: Patch, { id }: Naming): Work<readonly Row[]> {
  if (patch.format === 'merge-patch') yield* checkGrowth(rows.length, patch.fields)
  const patched: Row[] = []
  let growth = 0
  for (const row of rows) {
    const next = yield* applyPatch(row, patch, id)
    patched.push(next)
    if (patch.format === 'merge-patch') continue
    growth += Math.max(0, (yield* measure(next)).bytes - (yield* measure(row)).bytes)
    if (growth > MOST_GROWTH) refuse()
  }
  return patched
}

/** Total growth allowed for one change, in bytes. Otherwise a 10 MB body could be stored in every row. */
const MOST_GROWTH = 64 * 1024 * 1024

function* checkGrowth(count: number, fields: Row): Work<void> {
  if (count * (yield* measure(fields)).bytes > MOST_GROWTH) refuse()
}

function refuse(): never {
  const message =
    'Together the rows would grow by more than 64 MB; change fewer at a time. Nothing was changed.'
  throw new StorageError('BODY_TOO_LARGE', message)
}
