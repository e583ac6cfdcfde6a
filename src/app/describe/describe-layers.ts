import { DEFAULTS } from '../../layers/_defaults.ts'
import type { LayerInfo } from '../../service-info.ts'
import { BUILT_IN_LAYERS, type BuiltInLayer, type Config, type LayerOptions } from '../config/config.ts'

/** What `middlewares` put into the chain, with its settings but for keys, tokens, passwords and secrets. */
export function describeLayers({ middlewares, layers }: Pick<Config, 'middlewares' | 'layers'>): LayerInfo[] {
  return middlewares.map((entry) => {
    const name = BUILT_IN_LAYERS.find((known) => known === entry)
    // A path tells strangers about the machine; the file's name is enough to know it by.
    if (name === undefined) return { name: entry.split(/[/\\]/).at(-1) ?? entry, kind: 'file', settings: {} }
    return { name, kind: 'built-in', settings: SETTINGS[name](layers) }
  })
}

/** Each names what may be told: a new option stays hidden until somebody decides about it. */
const SETTINGS: Record<BuiltInLayer, (layers: LayerOptions) => Record<string, unknown>> = {
  cors: () => ({}),
  logger: () => ({}),
  delay: ({ delay }) => ({ min: delay?.min ?? DEFAULTS.delay.min, max: delay?.max ?? DEFAULTS.delay.max }),
  'api-key': ({ apiKey }) => ({
    header: 'X-API-KEY',
    keys: apiKey?.keys === undefined ? 'three examples' : Object.keys(apiKey.keys).length,
    publicRoutes: apiKey?.publicRoutes ?? DEFAULTS.apiKey.publicRoutes,
  }),
  bearer: ({ bearer }) => ({
    token: bearer?.token === undefined ? 'the example' : 'your own',
    publicRoutes: bearer?.publicRoutes ?? DEFAULTS.bearer.publicRoutes,
  }),
  jwt: ({ jwt }) => ({
    login: 'POST /login',
    users: jwt?.users === undefined ? 'the users collection, or anybody' : jwt.users.length,
    expiresIn: jwt?.expiresIn ?? DEFAULTS.jwt.expiresIn,
  }),
  'rate-limit': ({ rateLimit }) => ({
    limit: rateLimit?.limit ?? DEFAULTS.rateLimit.limit,
    windowMs: rateLimit?.windowMs ?? DEFAULTS.rateLimit.windowMs,
  }),
}
