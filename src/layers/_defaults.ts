/**
 * What the layers do when nothing is said. Not in the layers, because the page tells of it too: a layer is
 * loaded only where it is listed.
 */
export const DEFAULTS = {
  cors: { allowedHeaders: ['Origin', 'X-Requested-With', 'Content-Type', 'Accept', 'Authorization'] },
  delay: { min: 200, max: 1499 },
  apiKey: { publicRoutes: ['/health', '/auth/login', '/public/products'] },
  bearer: { publicRoutes: ['/auth/login', '/health'] },
  jwt: { expiresIn: '1h' },
  rateLimit: { limit: 10, windowMs: 60_000 },
} as const
