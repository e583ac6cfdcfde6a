/** Prefixes that a browser accepts on HTTPS only. */
const PREFIX = /^__(?:Secure|Host)-/i

/** The prefixes that cookies of the API lost on plain HTTP, by the name that is left. */
export type LostPrefixes = Map<string, string>

const MOST_LOST = 1000

/**
 * `Set-Cookie` of the API, as a cookie of this server.
 * @param base the target's path
 * @param lost on plain HTTP: receives the prefix that is cut off
 */
export function ownCookie(cookie: string, base: string, lost: LostPrefixes | undefined): string {
  const [pair = '', ...attributes] = cookie.split(';')
  const kept = attributes.flatMap((attribute) => {
    const [, name = '', value = ''] = /^\s*([^=]*?)\s*(?:=\s*(.*?)\s*)?$/s.exec(attribute) ?? []
    const word = name.toLowerCase()
    if (word === 'domain') return []
    if (word === 'path') return [` Path=${withoutBase(value, base)}`]
    const needsHttps =
      word === 'secure' || word === 'partitioned' || (word === 'samesite' && /^none$/i.test(value))
    return lost && needsHttps ? [] : [attribute]
  })
  return [lost ? withoutPrefix(pair.trim(), lost) : pair, ...kept].join(';')
}

function withoutPrefix(pair: string, lost: LostPrefixes): string {
  const [prefix = ''] = PREFIX.exec(pair) ?? []
  const plain = pair.slice(prefix.length)
  const [name = ''] = plain.split('=', 1)
  if (prefix !== '' && lost.size < MOST_LOST) lost.set(name, prefix)
  return plain
}

function withoutBase(path: string, base: string): string {
  const isBelow = base !== '' && (path === base || path.startsWith(`${base}/`))
  return isBelow ? path.slice(base.length) || '/' : path
}

/** The `Cookie` header for the API; undefined if nothing is left. @param ours names of cookies that this server reads */
export function apiCookies(
  header: string,
  ours: ReadonlySet<string>,
  lost: LostPrefixes,
): string | undefined {
  const cookies = header.split(';').flatMap((pair) => {
    const text = pair.trim()
    const [name = ''] = text.split('=', 1)
    return text === '' || ours.has(name) ? [] : [`${lost.get(name) ?? ''}${text}`]
  })
  return cookies.length === 0 ? undefined : cookies.join('; ')
}
