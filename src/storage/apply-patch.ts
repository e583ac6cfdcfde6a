import { StorageError } from '../catalogue/error-classes.ts'
import { applyJsonPatch, type Operation } from '../json/json-patch.ts'
import { applyMergePatch } from '../json/merge-patch.ts'
import { isSameJson } from '../json/values.ts'
import { isRow } from './is-row.ts'
import type { Row } from './types.ts'

/** A change of some fields of a row. Plain JSON, applied to the row as it is inside the commit. */
export type Patch =
  /** RFC 7396: merged recursively, and null removes a field. */
  | { readonly format: 'merge-patch'; readonly fields: Row }
  /** RFC 6902: operations in order. */
  | { readonly format: 'json-patch'; readonly operations: readonly Operation[] }

/** @param id the field that must not change; a single object has none */
export async function applyPatch(row: Row, patch: Patch, id?: string): Promise<Row> {
  if (patch.format === 'merge-patch') {
    return checked(await applyMergePatch(row, id === undefined ? patch.fields : without(patch.fields, id)))
  }
  const patched = checked(await applyJsonPatch(row, patch.operations))
  if (id !== undefined && !isSameJson(patched[id], row[id])) {
    throw new StorageError('INVALID_PATCH', `The ${id} of an item cannot change. Nothing was changed.`)
  }
  return patched
}

function without(fields: Row, id: string): Row {
  if (!Object.hasOwn(fields, id)) return fields
  const { [id]: _, ...others } = fields
  return others
}

/** A patch may replace the whole value with anything. */
function checked(value: unknown): Row {
  if (isRow(value)) return value
  throw new StorageError('INVALID_PATCH', 'An item has to stay an object. Nothing was changed.')
}
