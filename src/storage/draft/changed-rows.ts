import { StorageError } from '../../errors.ts'
import { measure } from '../../json/patch/measure.ts'
import { Pace } from '../../work/pace.ts'
import type { Row } from '../types.ts'

export type MakeRow = (old: Row) => Row | Promise<Row>

/** Total growth allowed for one change, in bytes. Otherwise a 10 MB body could be stored in every row. */
const MOST_GROWTH = 64 * 1024 * 1024

/** @param added the most that any row grows by; undefined if only the rows tell */
export async function changedRows(
  rows: readonly Row[],
  make: MakeRow,
  added: Row | undefined,
): Promise<readonly Row[]> {
  const pace = new Pace()
  const changed: Row[] = []
  let growth = added ? rows.length * measure(added).bytes : 0
  for (const row of rows) {
    checkGrowth(growth)
    const next = await make(row)
    changed.push(next)
    // A row may have thousands of fields.
    if (pace.isDue) await pace.turn()
    if (!added) growth += Math.max(0, measure(next).bytes - measure(row).bytes)
  }
  checkGrowth(growth)
  return changed
}

function checkGrowth(growth: number): void {
  if (growth <= MOST_GROWTH) return
  const message =
    'Together the rows would grow by more than 64 MB; change fewer at a time. Nothing was changed.'
  throw new StorageError('BODY_TOO_LARGE', message)
}
