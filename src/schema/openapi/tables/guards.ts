import { type ApiSettings, hasLayer, optionOf, publicRoutesOf } from '../settings.ts'
import { asksForLogin, isForAdmins } from './access.ts'
import type { Place } from './api-error.ts'
import { type Deed, WRITES } from './deeds.ts'

interface Guard {
  readonly layer: string
  readonly scheme: object
  /** Which requests; all, without it. */
  readonly asks?: (settings: ApiSettings, place: Place) => boolean
}

const GUARDS: readonly Guard[] = [
  { layer: 'api-key', scheme: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } },
  { layer: 'bearer', scheme: { type: 'http', scheme: 'bearer' } },
  {
    layer: 'jwt',
    scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From POST /login' },
    asks: (_, { deed }) => asksWriters(deed),
  },
  {
    layer: 'accounts',
    scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From POST /login' },
    asks: (settings, place) =>
      OF_USERS.includes(place.deed) || asksForLogin(settings, place) || isForAdmins(settings, place),
  },
]

const OF_USERS: readonly Deed[] = ['me', 'changeMe']

/** The token of accounts may also come as a cookie. */
const COOKIE = 'accounts-cookie'
const hasCookie = (settings: ApiSettings) => optionOf(settings, 'accounts', 'cookies') === true

/** What a client must send: every guard in front of this path has to be satisfied. */
export function securityOf(place: Place, settings: ApiSettings): readonly object[] {
  const asking = GUARDS.filter(
    ({ layer, asks }) =>
      hasLayer(settings, layer) &&
      !isPublic(settings, layer, place.path) &&
      (asks?.(settings, place) ?? true),
  ).map(({ layer }) => layer)
  if (asking.length === 0) return []
  const ways = asking.includes('accounts') && hasCookie(settings) ? ['accounts', COOKIE] : ['accounts']
  return ways.map((way) =>
    Object.fromEntries(asking.map((layer) => [layer === 'accounts' ? way : layer, []])),
  )
}

export function isPublic(settings: ApiSettings, guard: string, path: string): boolean {
  return publicRoutesOf(settings, guard).some((route) => path === route || path.startsWith(`${route}/`))
}

export function securitySchemes(settings: ApiSettings): Record<string, object> {
  return Object.fromEntries([
    ...GUARDS.filter(({ layer }) => hasLayer(settings, layer)).map(({ layer, scheme }) => [layer, scheme]),
    ...(hasCookie(settings) ? [[COOKIE, { type: 'apiKey', in: 'cookie', name: 'access_token' }]] : []),
  ])
}

function asksWriters(deed: Deed): boolean {
  return deed !== 'login' && WRITES.includes(deed)
}
