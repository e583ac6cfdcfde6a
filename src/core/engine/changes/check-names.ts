import { StorageError } from '../../kernel/catalogue/error-classes.ts'
import type { Row } from '../types.ts'

/** In characters. Each description of the data has the names of all fields, many times. */
const LONGEST_NAME = 1000

/** Refuses fields with too long names, at any depth, in what is new in a row. */
export function checkNames(row: Row, old: Row = {}): void {
  for (const name in row) {
    if (row[name] === old[name]) continue
    checkName(name)
    checkWithin(row[name])
  }
}

function checkWithin(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const entry of value) checkWithin(entry)
    return
  }
  for (const name in value) {
    checkName(name)
    checkWithin(value[name as keyof typeof value])
  }
}

function checkName(name: string): void {
  if (name.length <= LONGEST_NAME) return
  throw new StorageError(
    'VALIDATION_FAILED',
    `The name of the field ${name.slice(0, 40)}… has more than ${LONGEST_NAME} characters; send a shorter one. Nothing was changed.`,
  )
}
