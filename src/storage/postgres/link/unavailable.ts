import { StorageError } from '../../../errors.ts'

/** What the server says as it goes, or is not there yet: shutdown, crash, start, too many connections. */
const GOING = /^(08|57P0|53300|25006)/
/** What the system says of a connection that cannot be made, or broke. */
const BROKEN = /^(ECONN|EPIPE|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|ENOENT$)/
/** Errors of the driver have a message and no code. */
const DRIVER =
  /connection terminated|timeout exceeded when trying to connect|client (has encountered|was closed)|not queryable/i

/** Whether an error means that the database cannot be reached, rather than that a statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  if (GOING.test(code) || BROKEN.test(code)) return true
  return error instanceof Error && DRIVER.test(error.message)
}

/** Whether the same transaction may succeed when it is tried again: a serialization failure or a deadlock. */
export function isConflict(error: unknown): boolean {
  return /^40(001|P01)$/.test(codeOf(error))
}

/** Whether a table is gone, because everything was replaced meanwhile. */
export function isGone(error: unknown): boolean {
  return codeOf(error) === '42P01'
}

/** Whether somebody else was first with what there can be only one of. */
export function isTaken(error: unknown): boolean {
  return codeOf(error) === '23505'
}

/** Neither the address nor the driver's own words: clients see this. */
export function unavailable(cause: unknown): StorageError {
  const message = 'The database cannot be reached, and nothing was changed. Try again in a moment.'
  return new StorageError('SOURCE_UNAVAILABLE', message, { cause })
}

/** Of PostgreSQL or of the system; empty if there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
