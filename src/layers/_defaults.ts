/** Default options of the layers. Kept apart: the page shows them, and only listed layers are loaded. */
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
