import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'

export interface Address {
  /** With the password: only for the driver. */
  readonly url: string
  /** Of the database; empty for the default of the user or the environment. */
  readonly name: string
  readonly schema: string
  /** Settings of each session: `?options=-c%20statement_timeout%3D60s`. */
  readonly settings: string
  readonly shown: string
  /** Whether the password may be unescaped: there is more than one `@`. */
  readonly isAmbiguous: boolean
}

export function isPostgres(source: unknown): source is string {
  return typeof source === 'string' && /^postgres(ql)?:\/\//i.test(source)
}

export function readAddress(source: string, schema?: string): Address {
  const url = parse(source)
  const wanted = schema ?? url.searchParams.get('schema') ?? 'restable'
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(wanted) || wanted.startsWith('pg_')) {
    const rule = 'up to 41 lowercase letters, digits and _, beginning with a letter, and not with pg_'
    const name = JSON.stringify(wanted)
    throw new ConfigError(`source: the schema ${name} cannot be used. Name it with ${rule}.`)
  }
  const settings = url.searchParams.get('options') ?? ''
  for (const own of ['schema', 'options']) url.searchParams.delete(own)
  checkParameters(url.searchParams)
  // The driver would leave these escaped.
  url.pathname = url.pathname.replace(/%(2[46BCF]|3[ABD]|40)/gi, decodeURIComponent)
  const isAmbiguous = source.split('@').length > 2
  const shown = maskAddress(source)
  return { url: url.href, name: url.pathname.slice(1), schema: wanted, settings, shown, isAmbiguous }
}

/** Masks the password: all between the first `:` and the last `@`, in case it is not escaped. */
export function maskAddress(source: string): string {
  const [scheme = ''] = /^(?:[a-z][a-z\d+.-]*:\/\/|postgres(?:ql)?:)?/i.exec(source) ?? []
  const rest = source
    .slice(scheme.length)
    .replace(/^([^:]*):.*@/s, '$1:***@')
    .replace(/([?&](?:password|sslpassword|sslkey)=)[^&#]*/gi, '$1***')
  return `${scheme}${rest}`
}

/** Without `prefer` and `allow`: they may not encrypt at all, and the driver treats them differently from psql. */
const MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full']

function checkParameters(parameters: URLSearchParams): void {
  // A misspelled one would silently open the default schema.
  const misspelled = [...parameters.keys()].find((key) => /s[ch]{1,2}em|search_?path/i.test(key))
  if (misspelled !== undefined) {
    const name = JSON.stringify(misspelled)
    throw new ConfigError(`source: the address has ${name}. Did you mean schema=team_a?`)
  }
  const mode = parameters.get('sslmode')
  if (mode === null) return
  if (!MODES.includes(mode)) {
    const remedy = `Use one of ${MODES.join(', ')}, or leave it out to connect without TLS.`
    throw new ConfigError(`source: sslmode=${JSON.stringify(mode)} is not supported. ${remedy}`)
  }
  // What the driver does for these modes, without its long warning.
  const isStrict = mode === 'require' || mode === 'verify-ca'
  if (isStrict && !parameters.has('uselibpqcompat')) parameters.set('sslmode', 'verify-full')
}

/** The parser's own message would show the password. */
function parse(source: string): URL {
  try {
    // psql needs no host if a socket is given as `?host=`; URLs do.
    return new URL(source.replace(/^([^/]+:\/\/[^/?#]*@)\//, '$1localhost/'))
  } catch {
    const remedy = `Write postgres://user@host:5432/database. ${ESCAPE}`
    throw new ConfigError(`source: the address of the database cannot be read. ${remedy}`)
  }
}

export const ESCAPE = 'In a password, write @ as %40, / as %2F, : as %3A, ? as %3F, # as %23 and % as %25.'
