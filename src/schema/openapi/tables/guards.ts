import { type ApiSettings, hasLayer, publicRoutesOf } from '../settings.ts'
import { type Deed, WRITES } from './deeds.ts'

/** A layer that authenticates clients, and how they do it. */
interface Guard {
  readonly layer: string
  readonly scheme: object
  /** It guards writes only. */
  readonly writesOnly?: boolean
}

const GUARDS: readonly Guard[] = [
  { layer: 'api-key', scheme: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } },
  { layer: 'bearer', scheme: { type: 'http', scheme: 'bearer' } },
  {
    layer: 'jwt',
    scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From POST /login' },
    writesOnly: true,
  },
  {
    layer: 'accounts',
    scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From POST /login' },
    writesOnly: true,
  },
]

/** What a client must send: every guard in front of this path has to be satisfied. */
export function securityOf(deed: Deed, path: string, settings: ApiSettings): readonly object[] {
  const asking = GUARDS.filter(
    ({ layer, writesOnly }) =>
      hasLayer(settings, layer) && !isPublic(settings, layer, path) && (!writesOnly || asksWriters(deed)),
  )
  return asking.length === 0 ? [] : [Object.fromEntries(asking.map(({ layer }) => [layer, []]))]
}

/** Whether a guard lets everybody through to this path. */
export function isPublic(settings: ApiSettings, guard: string, path: string): boolean {
  return publicRoutesOf(settings, guard).some((route) => path === route || path.startsWith(`${route}/`))
}

export function securitySchemes(settings: ApiSettings): Record<string, object> {
  return Object.fromEntries(
    GUARDS.filter(({ layer }) => hasLayer(settings, layer)).map(({ layer, scheme }) => [layer, scheme]),
  )
}

/** Logging in and out needs no token. */
function asksWriters(deed: Deed): boolean {
  return deed === 'me' || (!FOR_ALL.includes(deed) && WRITES.includes(deed))
}

const FOR_ALL: readonly Deed[] = ['login', 'register', 'logout']
