import { type Deed, WRITES } from './deeds.ts'
import { type ApiSettings, hasLayer, publicRoutesOf } from './settings.ts'

/** A layer that asks who is there, and how clients answer. */
interface Guard {
  readonly layer: string
  readonly scheme: object
  /** It asks only those who write. */
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
]

/** What a client needs to be let through: all of the guards that stand in front of this. */
export function securityOf(deed: Deed, path: string, settings: ApiSettings): readonly object[] {
  const asking = GUARDS.filter(
    ({ layer, writesOnly }) =>
      hasLayer(settings, layer) && !isPublic(settings, layer, path) && (!writesOnly || asksWriters(deed)),
  )
  return asking.length === 0 ? [] : [Object.fromEntries(asking.map(({ layer }) => [layer, []]))]
}

/** Whether a guard lets everybody pass to this path, and to what is below. */
export function isPublic(settings: ApiSettings, guard: string, path: string): boolean {
  return publicRoutesOf(settings, guard).some((route) => path === route || path.startsWith(`${route}/`))
}

export function securitySchemes(settings: ApiSettings): Record<string, object> {
  return Object.fromEntries(
    GUARDS.filter(({ layer }) => hasLayer(settings, layer)).map(({ layer, scheme }) => [layer, scheme]),
  )
}

/** To log in, one needs no token yet. */
function asksWriters(deed: Deed): boolean {
  return deed !== 'login' && WRITES.includes(deed)
}
