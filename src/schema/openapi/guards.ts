import { IDENTIFIED } from '../../catalogue/operation-kinds.ts'
import { asksForLogin, isForAdmins } from './access.ts'
import { isPublic, isWrite, type Place } from './place.ts'
import { type ApiSettings, hasLayer, optionOf } from './settings.ts'

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
    asks: (_, place) => isWrite(place) && IDENTIFIED.includes(place.kind),
  },
  {
    layer: 'accounts',
    scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From POST /login' },
    asks: (settings, place) =>
      place.kind === 'me' || asksForLogin(settings, place) || isForAdmins(settings, place),
  },
]

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

export function securitySchemes(settings: ApiSettings): Record<string, object> {
  return Object.fromEntries([
    ...GUARDS.filter(({ layer }) => hasLayer(settings, layer)).map(({ layer, scheme }) => [layer, scheme]),
    ...(hasCookie(settings) ? [[COOKIE, { type: 'apiKey', in: 'cookie', name: 'access_token' }]] : []),
  ])
}
