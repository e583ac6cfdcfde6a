import { StorageError } from '../errors.ts'
import { MAX_KEYS } from '../json/bounds.ts'
import type { Row } from './types.ts'

/** The row with the fields put in. Refused where it would have more keys than what can be sent. */
export function mergeFields(row: Row, fields: Row): Row {
  if (Object.keys(row).length + Object.keys(fields).length > MAX_KEYS) {
    const added = Object.keys(fields).filter((key) => !Object.hasOwn(row, key))
    if (added.length > 0 && Object.keys(row).length + added.length > MAX_KEYS) {
      const message = `The item would have more than ${MAX_KEYS} keys; split it into several items.`
      throw new StorageError('INVALID_BODY', message)
    }
  }
  return { ...row, ...fields }
}
