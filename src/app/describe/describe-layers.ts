import type { LayerInfo } from '../../catalogue/service-info.ts'
import { DEFAULTS } from '../../layers/parts/options.ts'
import { BUILT_IN_LAYERS, type BuiltInLayer, type Config, type LayerOptions } from '../config/config.ts'

/** The layers of the chain with their settings, except keys, tokens, passwords and secrets. */
export function describeLayers({ middlewares, layers }: Pick<Config, 'middlewares' | 'layers'>): LayerInfo[] {
  return middlewares.map((entry) => {
    const name = BUILT_IN_LAYERS.find((known) => known === entry)
    // A path reveals things about the machine; the file name is enough to recognize it.
    if (name === undefined) return { name: entry.split(/[/\\]/).at(-1) ?? entry, kind: 'file', settings: {} }
    return { name, kind: 'built-in', settings: SETTINGS[name](layers) }
  })
}

/** An allowlist: a new option stays hidden until somebody decides about it. */
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
  accounts: ({ accounts = {} }) => {
    const { secret: _, ...settings } = { ...DEFAULTS.accounts, ...accounts }
    return { login: 'POST /login', register: 'POST /register', ...settings }
  },
  'rate-limit': ({ rateLimit }) => ({
    limit: rateLimit?.limit ?? DEFAULTS.rateLimit.limit,
    windowMs: rateLimit?.windowMs ?? DEFAULTS.rateLimit.windowMs,
  }),
}
