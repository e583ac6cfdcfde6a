import { ConfigError, StorageError } from '../../catalogue/error-classes.ts'
import { type Address, ESCAPE } from './address.ts'
import { codeOf, isUnavailable } from './unavailable.ts'

/** Why a database cannot be opened, and what to do, in one line. */
export function explainFailure(error: unknown, address: Address): unknown {
  const isLost = error instanceof StorageError && error.code === 'SOURCE_UNAVAILABLE'
  const cause = isLost ? error.cause : error
  // Nothing that the database said: what is wrong is what should fill it.
  if (!(cause instanceof Error) || cause instanceof ConfigError || cause instanceof StorageError) return error
  const { shown } = address
  const fail = (what: string) => new ConfigError(`source: ${shown} ${what}`, { cause })
  const code = codeOf(cause)
  // What PostgreSQL itself says names no password.
  const remedies = 'severity' in cause ? SERVER : DRIVER
  const remedy = remedies.find(([pattern]) => pattern.test(`${code} ${cause.message}`))?.[1]
  if ('severity' in cause) return fail(`cannot be opened: ${cause.message}.${remedy ? ` ${remedy}` : ''}`)
  if (remedy) return fail(remedy)
  if (!isUnavailable(cause)) return error
  // What was taken for the host may be the rest of a password.
  const hint = address.isAmbiguous ? ` ${ESCAPE}` : ''
  const reason = code ? ` (${code})` : ''
  return fail(`cannot be reached${reason}. Check host and port, and that PostgreSQL runs.${hint}`)
}

type Remedies = readonly (readonly [RegExp, string])[]

const SERVER: Remedies = [
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

/** What the driver and Node say: none of it names the password. */
const DRIVER: Remedies = [
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
