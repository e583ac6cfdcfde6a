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

export type Log = (line: string) => void

export const warn: Log = (line) => console.warn(line)

/** Each line once. */
export function logOnce(log: Log): Log {
  const logged = new Set<string>()
  return (line) => {
    if (!logged.has(line)) log(line)
    logged.add(line)
  }
}
