import { StorageError } from '../../kernel/catalogue/error-classes.ts'
import { bytesUpTo } from '../../kernel/json/json-size.ts'
import { MAX_BYTES, MAX_KEYS, tooLarge } from '../../kernel/json/limits.ts'
import { applyJsonPatch, applyMergePatch } from '../../kernel/json/patches.ts'
import { isObject, isSameJson } from '../../kernel/json/values.ts'
import { TimeSlice } from '../../kernel/util/pace.ts'
import type { Patch } from '../change.ts'
import { withoutFields } from '../rules/served-fields.ts'
import type { Row } from '../types.ts'

export type MakeRow = (old: Row) => Row | Promise<Row>

/** In bytes, for one change: otherwise a 10 MB body could be stored in every row. */
const MOST_GROWTH = 64 * 1024 * 1024

export async function changedRows(
  rows: readonly Row[],
  make: MakeRow,
  added: Row | undefined,
): Promise<readonly Row[]> {
  const pace = new TimeSlice()
  const changed: Row[] = []
  let growth = added ? rows.length * sizeOf(added) : 0
  for (const row of rows) {
    checkGrowth(growth)
    const next = await make(row)
    changed.push(next)
    if (pace.isUsedUp) await pace.yieldToEventLoop()
    if (!added) growth += Math.max(0, sizeOf(next) - sizeOf(row))
  }
  checkGrowth(growth)
  return changed
}

function sizeOf(row: Row): number {
  return bytesUpTo(MOST_GROWTH + 1, row)
}

function checkGrowth(growth: number): void {
  if (growth <= MOST_GROWTH) return
  throw tooLarge(
    'Together the rows would grow by more than 64 MB; change fewer at a time. Nothing was changed.',
  )
}

/** Refused if the row would have more keys than a body may have, or become larger. */
export function mergeFields(row: Row, fields: Row): Row {
  const merged = { ...row, ...fields }
  const count = Object.keys(merged).length
  if (count > MAX_KEYS && count > Object.keys(row).length) {
    const message = `The item would have more than ${MAX_KEYS} keys; split it into several items.`
    throw new StorageError('INVALID_BODY', message)
  }
  if (isTooLarge(merged) && !isTooLarge(row)) {
    throw tooLarge('The item would be larger than 10 MB; store less in one item. Nothing was changed.')
  }
  return merged
}

function isTooLarge(row: Row): boolean {
  return bytesUpTo(MAX_BYTES, row) > MAX_BYTES
}

/** @param id the field that must not change; a single object has none */
export async function applyPatch(row: Row, patch: Patch, id?: string): Promise<Row> {
  if (patch.format === 'merge-patch') {
    return asRow(
      await applyMergePatch(row, id === undefined ? patch.fields : withoutFields(patch.fields, [id])),
    )
  }
  const patched = asRow(await applyJsonPatch(row, patch.operations))
  if (id !== undefined && !isSameJson(patched[id], row[id])) {
    throw new StorageError('INVALID_PATCH', `The ${id} of an item cannot change. Nothing was changed.`)
  }
  return patched
}

function asRow(value: unknown): Row {
  if (isObject(value)) return value
  throw new StorageError('INVALID_PATCH', 'An item has to stay an object. Nothing was changed.')
}
