import { ConfigError, StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { codeOf, hasCode } from '../file/fs.ts'
import { type Address, ESCAPE } from './address.ts'

const LATER = 'Try again in a moment.'
const UNREACHABLE = ['cannot be reached', LATER] as const

/** Messages for clients by SQLSTATE: without the address, and without words of the driver or of PostgreSQL. */
const SERVER_ERRORS: readonly (readonly [codes: RegExp, fault: string, remedy: string])[] = [
  [/^53[12]/, 'has no space left', 'Free some, then try again.'],
  [/^53/, 'takes no more connections', LATER],
  [/^(25006|72)/, 'can only be read at the moment', LATER],
  [/^(40|55P03|57014|25P0[34])/, 'is busy: others got in the way', LATER],
  [/^(28|3D|42501|55000)/, 'refuses this server', 'Check its address, user and rights.'],
  [/^(42P01|3F000)/, 'has lost the tables of this server', 'Put them back, then try again.'],
  [/^(08|57P0|58|XX)/, ...UNREACHABLE],
]

const SYSTEM_LOST =
  /^(ECONN|EPIPE|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|ENOENT$|EPROTO|ERR_(SSL|TLS)|CERT_|UNABLE_TO|DEPTH_|SELF_SIGNED)/
/** The driver's own errors have no code. */
const DRIVER_LOST =
  /connection terminated|timeout (expired|exceeded when trying to connect)|client (has encountered|was closed)|not queryable/i

/** Whether the database cannot work at the moment, rather than that a statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  if (SYSTEM_LOST.test(code) || SERVER_ERRORS.some(([codes]) => codes.test(code))) return true
  return error instanceof Error && DRIVER_LOST.test(error.message)
}

/** A serialization failure or a deadlock: the same transaction may succeed when repeated. */
export function isConflict(error: unknown): boolean {
  return hasCode(causeOf(error), '40001', '40P01')
}

/** Whether a connection broke, so that the result of the last statement is unknown. */
export function isLost(error: unknown): boolean {
  const cause = causeOf(error)
  return isUnavailable(cause) && !/^(40|53|55P03|57014|25006|42501|42P01|3F000)/.test(codeOf(cause) ?? '')
}

export function unavailable(error: unknown): StorageError {
  const cause = causeOf(error)
  const known = SERVER_ERRORS.find(([codes]) => codes.test(codeOf(cause) ?? ''))
  const [fault, remedy] = known ? known.slice(1) : UNREACHABLE
  const message = `The database ${fault}, and nothing was changed. ${remedy}`
  return new StorageError('SOURCE_UNAVAILABLE', message, { cause })
}

function causeOf(error: unknown): unknown {
  return error instanceof StorageError ? error.cause : error
}

export function explainFailure(error: unknown, address: Address): unknown {
  const isLost = error instanceof StorageError && error.code === 'SOURCE_UNAVAILABLE'
  const cause = isLost ? error.cause : error
  // Not an error of the database, but of the data to fill it with.
  if (!(cause instanceof Error) || cause instanceof ConfigError || cause instanceof StorageError) return error
  const { shown } = address
  const fail = (what: string) => new ConfigError(`source: ${shown} ${what}`, { cause })
  const code = codeOf(cause) ?? ''
  // Messages of PostgreSQL contain no password.
  const remedies = 'severity' in cause ? SERVER_REMEDIES : DRIVER_REMEDIES
  const remedy = remedies.find(([pattern]) => pattern.test(`${code} ${cause.message}`))?.[1]
  if ('severity' in cause) return fail(`cannot be opened: ${cause.message}.${remedy ? ` ${remedy}` : ''}`)
  if (remedy) return fail(remedy)
  if (!isUnavailable(cause)) return error
  // The host may be the rest of an unescaped password.
  const hint = address.isAmbiguous ? ` ${ESCAPE}` : ''
  const reason = code ? ` (${code})` : ''
  return fail(`cannot be reached${reason}. Check host and port, and that PostgreSQL runs.${hint}`)
}

type Remedies = readonly (readonly [RegExp, string])[]

const SERVER_REMEDIES: Remedies = [
  [/^28P01/, `Check user and password. ${ESCAPE}`],
  [/^28000.*no encryption/, 'Add ?sslmode=require to the address.'],
  [/^28/, 'Check the user, and which hosts pg_hba.conf lets in.'],
  [/^3D000/, "Create it: CREATE DATABASE … ENCODING 'UTF8', or correct the name."],
  [/^42501.*database/, 'The user has to be allowed to create a schema: GRANT CREATE ON DATABASE … TO ….'],
  [/^42501/, 'The schema has to belong to the user: ALTER SCHEMA … OWNER TO ….'],
  [/^53300/, 'A server needs 6 connections: raise the limit, or start fewer servers.'],
  [/^57P03/, 'Try again in a moment.'],
  [
    /^42(703|P01|P07)/,
    'The schema has other tables than ours, or lacks some: name another, as in ?schema=team_a.',
  ],
  [/^25006/, 'Name the primary, not a replica.'],
]

/** Messages of the driver and of Node contain no password. */
const DRIVER_REMEDIES: Remedies = [
  [/client password must be a string/, 'needs a password. Put it into the address, or into PGPASSWORD.'],
  [/does not support SSL/, 'does not speak TLS. Leave sslmode out, or turn on ssl in postgresql.conf.'],
  [
    /CERT|certificate|^UNABLE_TO/,
    'has a certificate that cannot be verified. Name its authority with sslrootcert=FILE, or encrypt without verifying: sslmode=no-verify.',
  ],
  [/error establishing an SSL/, 'does not answer as PostgreSQL does. Check host and port.'],
  [/URI malformed/, `cannot be read. ${ESCAPE}`],
  [/^ENOENT .*open/, 'names a file that does not exist. Check sslrootcert, sslcert and sslkey.'],
]
