import { StorageError } from '../../catalogue/error-classes.ts'

const LATER = 'Try again in a moment.'
const AWAY = ['cannot be reached', LATER] as const

/** What clients are told, by what the server says: neither the address nor the words of the driver or of PostgreSQL. */
const SAID: readonly (readonly [codes: RegExp, fault: string, remedy: string])[] = [
  [/^53[12]/, 'has no space left', 'Free some, then try again.'],
  [/^53/, 'takes no more connections', LATER],
  [/^(25006|72)/, 'can only be read at the moment', LATER],
  [/^(40|55P03|57014|25P0[34])/, 'is busy: others got in the way', LATER],
  [/^(28|3D|42501|55000)/, 'refuses this server', 'Check its address, user and rights.'],
  [/^(42P01|3F000)/, 'has lost the tables of this server', 'Put them back, then try again.'],
  [/^(08|57P0|58|XX)/, ...AWAY],
]

/** What the system says of a connection that cannot be made, or broke. */
const BROKEN =
  /^(ECONN|EPIPE|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|ENOENT$|EPROTO|ERR_(SSL|TLS)|CERT_|UNABLE_TO|DEPTH_|SELF_SIGNED)/
/** Errors of the driver have a message and no code. */
const DRIVER =
  /connection terminated|timeout (expired|exceeded when trying to connect)|client (has encountered|was closed)|not queryable/i

/** Whether an error means that the database cannot do its work at the moment, rather than that a statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  if (BROKEN.test(code) || SAID.some(([codes]) => codes.test(code))) return true
  return error instanceof Error && DRIVER.test(error.message)
}

/** Whether the same transaction may succeed when it is tried again: a serialization failure or a deadlock. */
export function isConflict(error: unknown): boolean {
  return /^40(001|P01)$/.test(codeOf(causeOf(error)))
}

/** Whether a connection broke, so that nobody knows what became of the last statement. */
export function isLost(error: unknown): boolean {
  const cause = causeOf(error)
  return isUnavailable(cause) && !/^(40|53|55P03|57014|25006|42501|42P01|3F000)/.test(codeOf(cause))
}

export function unavailable(error: unknown): StorageError {
  const cause = causeOf(error)
  const said = SAID.find(([codes]) => codes.test(codeOf(cause)))
  const [fault, remedy] = said ? said.slice(1) : AWAY
  const message = `The database ${fault}, and nothing was changed. ${remedy}`
  return new StorageError('SOURCE_UNAVAILABLE', message, { cause })
}

function causeOf(error: unknown): unknown {
  return error instanceof StorageError ? error.cause : error
}

/** Of PostgreSQL or of the system; empty if there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
