import { ConfigError } from '../../errors.ts'

/** Allowed entries: an origin, with `*.` for any subdomain and `:*` for any port; or `null`. */
export const ORIGIN =
  /^(?:null|[a-z][a-z\d+.-]*:\/\/(?:(?:\*\.)?[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:.]+\])(?::(?:\d{1,5}|\*))?)$/i

/** As browsers write it: in lower case, without the scheme's default port. */
export function normalOrigin(origin: string): string {
  const lower = origin.toLowerCase()
  return lower.replace(/^(http:\/\/.*):80$|^(https:\/\/.*):443$/, '$1$2')
}

/** @param setting that lists it, for the error */
export function originPattern(origin: unknown, setting: string): RegExp {
  if (typeof origin !== 'string' || !ORIGIN.test(origin)) {
    throw new ConfigError(
      `${setting}: ${JSON.stringify(origin)} is not an origin. Write scheme, host and port without a path, such as ` +
        '"http://localhost:5173"; "https://*.example.com" and "http://localhost:*" work too.',
    )
  }
  const escaped = normalOrigin(origin).replace(/[.[\]+]/g, '\\$&')
  const pattern = escaped
    .replace('://*\\.', String.raw`://(?:[a-z\d_-]+\.)+`)
    .replace(/:\*$/, String.raw`(?::\d{1,5})?`)
  return new RegExp(`^${pattern}$`)
}
