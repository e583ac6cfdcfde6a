import { ConfigError } from '../../../errors.ts'

/** A database, and the schema in it that is ours. */
export interface Address {
  /** With the password: for the driver alone. */
  readonly url: string
  readonly schema: string
  /** Without it: for people. */
  readonly shown: string
}

/** Whether a source names a database. */
export function isPostgres(source: string | undefined): source is string {
  return source !== undefined && /^postgres(ql)?:\/\//i.test(source)
}

/**
 * Reads `postgres://user@host/database?schema=team_a`.
 * @param schema instead of the one in the address
 */
export function readAddress(source: string, schema?: string): Address {
  const url = parse(source)
  const name = schema ?? url.searchParams.get('schema') ?? 'restable'
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(name) || name.startsWith('pg_')) {
    throw new ConfigError(
      `source: the schema ${JSON.stringify(name)} cannot be used. Name it with lowercase letters, digits and _.`,
    )
  }
  url.searchParams.delete('schema')
  return { url: url.href, schema: name, shown: maskAddress(source) }
}

/** An address without its password, wherever that stands. */
export function maskAddress(source: string): string {
  return source
    .replace(/^([a-z]+:\/\/[^/?#@:]*):[^/?#]*@/i, '$1:***@')
    .replace(/([?&](?:password|sslpassword|sslkey)=)[^&#]*/gi, '$1***')
}

/** The parser's own message would show the password. */
function parse(source: string): URL {
  try {
    return new URL(source)
  } catch {
    throw new ConfigError(
      'source: the address of the database cannot be read. Write postgres://user@host:5432/database, with special characters of a password escaped as in any URL.',
    )
  }
}
