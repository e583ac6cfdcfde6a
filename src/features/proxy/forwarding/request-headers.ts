import { attempt } from '../../../core/kernel/util/attempt.ts'
import { apiCookies, type LostPrefixes } from './cookies.ts'
import { isHopByHop } from './hop-by-hop.ts'

export interface SentHeaders {
  /** As Node has them: names and values in turn. */
  readonly raw: readonly string[]
  readonly target: URL
  /** Replace the client's. */
  readonly own: Readonly<Record<string, string>>
  readonly credentials: Credentials
  readonly lost: LostPrefixes
  readonly via: string
  /** Whether an origin is this server's, or of this machine. */
  readonly isOwnOrigin: (origin: string) => boolean
  /** Whether the whole answer is needed, so that it can be kept or compared. */
  readonly isWhole: boolean
}

/** Headers and cookies that layers of this server read, which the API must not see. */
export interface Credentials {
  /** In lower case. */
  readonly headers: ReadonlySet<string>
  readonly cookies: ReadonlySet<string>
}

const DROPPED = new Set(['host', 'expect'])
const CONDITIONS = new Set(['if-none-match', 'if-modified-since', 'if-range', 'range', 'accept-encoding'])

/** The headers that the API gets: names and values in turn. */
export function requestHeaders(sent: SentHeaders): string[] {
  const { raw, target, own, credentials, via, isWhole } = sent
  const isConnections = isHopByHop(raw)
  const replaced = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  const headers = replaced.has('host') ? [] : ['Host', target.host]
  const path: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [header = '', text = ''] = [raw[at], raw[at + 1]]
    const name = header.toLowerCase()
    if (name === 'via') path.push(text)
    // Node frames the body by it.
    if (name === 'transfer-encoding') headers.push('Transfer-Encoding', 'chunked')
    const isDropped =
      name === 'via' ||
      DROPPED.has(name) ||
      name.startsWith('x-mock-') ||
      credentials.headers.has(name) ||
      replaced.has(name) ||
      (isWhole && CONDITIONS.has(name)) ||
      isConnections(name)
    if (isDropped) continue
    const value = valueFor(name, text, sent)
    if (value !== undefined) headers.push(header, value)
  }
  if (isWhole) headers.push('Accept-Encoding', 'gzip, deflate, br')
  for (const [name, value] of Object.entries(own)) headers.push(name, value)
  return [...headers, 'Via', [...path, via].join(', ')]
}

function valueFor(
  name: string,
  text: string,
  { target, credentials, lost, isOwnOrigin }: SentHeaders,
): string | undefined {
  if (name === 'cookie') return apiCookies(text, credentials.cookies, lost)
  if (name === 'origin') return isOwnOrigin(text) ? target.origin : text
  if (name !== 'referer') return text
  const page = attempt(() => new URL(text))
  if (!page || !isOwnOrigin(page.origin)) return text
  return `${target.origin}${target.pathname.replace(/\/$/, '')}${page.pathname}${page.search}`
}
