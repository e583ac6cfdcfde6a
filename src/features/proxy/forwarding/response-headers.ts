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
  /** By name, in lower case. */
  readonly headers: ReadonlyMap<string, string | readonly string[]>
  /** Headers that scripts of other origins may read besides. */
  readonly exposed: readonly string[]
}

/** The headers that the client gets. */
export function responseHeaders(received: ReceivedHeaders): ReturnedHeaders {
  const { raw } = received
  const isConnections = isHopByHop(raw)
  const headers = new Map<string, string | string[]>()
  const exposed: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const value = raw[at + 1] ?? ''
    const name = raw[at]?.toLowerCase() ?? ''
    if (name === 'access-control-expose-headers') exposed.push(...value.split(',').map((one) => one.trim()))
    const isDropped =
      name === 'strict-transport-security' || name.startsWith('access-control-') || isConnections(name)
    if (isDropped) continue
    const own = valueFor(name, value, received)
    const before = headers.get(name)
    headers.set(name, before === undefined ? own : [before, own].flat())
  }
  return { headers, exposed: exposed.filter((name) => name !== '' && name !== '*') }
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
