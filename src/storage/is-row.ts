import { isObject } from '../json/values.ts'
import type { Row } from './types.ts'

/** Whether a value can be an item: an object, but not an array. */
export function isRow(value: unknown): value is Row {
  return isObject(value)
}
