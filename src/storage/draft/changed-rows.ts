import { StorageError } from '../../errors.ts'
import { measure } from '../../json/patch/measure.ts'
import { Pace } from '../../work/pace.ts'
import { applyPatch, type Patch } from '../apply-patch.ts'
import { mergeFields } from '../merge-fields.ts'
import type { Naming, Row } from '../types.ts'

export async function mergedRows(rows: readonly Row[], fields: Row): Promise<readonly Row[]> {
  checkGrowth(rows.length, fields)
  const pace = new Pace()
  const merged: Row[] = []
  for (const row of rows) {
    merged.push(mergeFields(row, fields))
    // A row may have thousands of fields.
    if (pace.isDue) await pace.turn()
  }
  return merged
}

export async function patchedRows(
  rows: readonly Row[],
  patch: Patch,
  { id }: Naming,
): Promise<readonly Row[]> {
  if (patch.format === 'merge-patch') checkGrowth(rows.length, patch.fields)
  const pace = new Pace()
  const patched: Row[] = []
  let growth = 0
  for (const row of rows) {
    const next = await applyPatch(row, patch, id)
    patched.push(next)
    if (pace.isDue) await pace.turn()
    if (patch.format === 'merge-patch') continue
    growth += Math.max(0, measure(next).bytes - measure(row).bytes)
    if (growth > MOST_GROWTH) refuse()
  }
  return patched
}

/** Total growth allowed for one change, in bytes. Otherwise a 10 MB body could be stored in every row. */
const MOST_GROWTH = 64 * 1024 * 1024

function checkGrowth(count: number, fields: Row): void {
  if (count * measure(fields).bytes > MOST_GROWTH) refuse()
}

function refuse(): never {
  const message =
    'Together the rows would grow by more than 64 MB; change fewer at a time. Nothing was changed.'
  throw new StorageError('BODY_TOO_LARGE', message)
}
