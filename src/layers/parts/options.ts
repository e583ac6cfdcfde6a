import { ConfigError } from '../../catalogue/error-classes.ts'

/** Default options of the layers. Kept apart from them: the page shows these, and only listed layers are loaded. */
export const DEFAULTS = {
  cors: { allowedHeaders: ['Origin', 'X-Requested-With', 'Content-Type', 'Accept', 'Authorization'] },
  delay: { min: 200, max: 1499 },
  apiKey: { publicRoutes: ['/health', '/auth/login', '/public/products'] },
  bearer: { publicRoutes: ['/auth/login', '/health'] },
  jwt: { expiresIn: '1h' },
  accounts: {
    collection: 'users',
    accessFor: '15m',
    refreshFor: '7d',
    cookies: false,
    persona: false,
    roles: ['user', 'admin'],
  },
  rateLimit: { limit: 10, windowMs: 60_000 },
} as const

export const API_KEY = /^[a-zA-Z0-9-]{10,50}$/

export function checkOptions(layer: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new ConfigError(`${layer} must be an object with any of: ${names.join(', ')}`)
  }
  const unknown = Object.keys(options).find((key) => !names.includes(key))
  if (unknown !== undefined) {
    throw new ConfigError(`${layer}.${unknown} is not an option; the options are: ${names.join(', ')}`)
  }
}

export function checkRoutes(layer: string, routes: unknown): readonly string[] {
  if (!Array.isArray(routes)) {
    throw new ConfigError(`${layer}.publicRoutes must be a list of paths such as ["/health"]`)
  }
  return routes.map((route: unknown) => {
    if (typeof route === 'string' && PLAIN_ROUTE.test(route)) return route
    throw new ConfigError(
      `${layer}.publicRoutes: ${JSON.stringify(route)} is not a plain path; write it like "/public/products": ` +
        'letters, digits, ".", "_", "~" and "-", no "/" at the end, no "*"',
    )
  })
}

const PLAIN_ROUTE = /^(?:\/|(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+)$/

export type Log = (line: string) => void

export function checkLog(layer: string, log: unknown): Log {
  if (log === undefined) return (line) => console.warn(line)
  if (typeof log !== 'function') throw new ConfigError(`${layer}.log must be a function that takes one line`)
  return (line) => log(line)
}

/** Each line once. */
export function logOnce(log: Log): Log {
  const logged = new Set<string>()
  return (line) => {
    if (!logged.has(line)) log(line)
    logged.add(line)
  }
}
