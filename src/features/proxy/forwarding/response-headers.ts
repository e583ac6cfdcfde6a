import { type LostPrefixes, ownCookie } from './cookies.ts'
import { isHopByHop } from './hop-by-hop.ts'
import { ownUrl } from './own-url.ts'

export interface ReceivedHeaders {
  readonly raw: readonly string[]
  readonly target: URL
  /** How the client reached us: origin and mount. */
  readonly here: string
  readonly lost: LostPrefixes
}

export interface ReturnedHeaders {
  /** By name, as the API writes it. */
  readonly headers: ReadonlyMap<string, string | readonly string[]>
  /** Headers that scripts of other origins may read besides. */
  readonly exposed: readonly string[]
}

/** The headers that the client gets. */
export function responseHeaders(received: ReceivedHeaders): ReturnedHeaders {
  const { raw } = received
  const isConnections = isHopByHop(raw)
  const headers = new Map<string, string[]>()
  const names = new Map<string, string>()
  const exposed: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [header = '', value = ''] = [raw[at], raw[at + 1]]
    const name = header.toLowerCase()
    if (name === 'access-control-expose-headers') exposed.push(...value.split(',').map((one) => one.trim()))
    const isDropped =
      name === 'strict-transport-security' || name.startsWith('access-control-') || isConnections(name)
    if (isDropped) continue
    const key = names.get(name) ?? header
    names.set(name, key)
    headers.set(key, [...(headers.get(key) ?? []), valueFor(name, value, received)])
  }
  const sent = [...headers].map(
    ([name, values]) => [name, values.length > 1 ? values : (values[0] ?? '')] as const,
  )
  return { headers: new Map(sent), exposed: exposed.filter((name) => name !== '' && name !== '*') }
}

function valueFor(name: string, value: string, { target, here, lost }: ReceivedHeaders): string {
  if (name === 'set-cookie') {
    const isSecure = here.startsWith('https:')
    return ownCookie(value, target.pathname.replace(/\/$/, ''), isSecure ? undefined : lost)
  }
  if (name === 'location') return ownUrl(value, target, here) ?? value
  if (name === 'link')
    return value.replace(/<([^>]*)>/g, (_, url: string) => `<${ownUrl(url, target, here) ?? url}>`)
  return value
}
