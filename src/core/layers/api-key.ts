import type { Request, RequestHandler, Response } from 'express'
import { constantTimeEqual } from '../kernel/http/constant-time.ts'
import { exposeTo } from '../kernel/http/headers.ts'
import { worldOf } from '../kernel/http/world.ts'
import { guardExcept, isRead, refuseRequest } from './parts/guard.ts'
import { API_KEY, checkOptions } from './parts/option-types.ts'
import { DEFAULTS, type Log, warn } from './parts/options.ts'

export type Permission = 'read' | 'write'

export interface ApiKeyOptions {
  /**
   * Keys and what each may do. At least one; each of 10 to 50 letters, digits and `-`.
   * @default csharp-client-key-001 and web-client-key-001 read and write, readonly-client-key-001 reads
   */
  keys?: Readonly<Record<string, readonly Permission[]>>
  /**
   * Paths that need no key, including everything below them; written in full, as the client sends them. Other resources
   * that relations and nested paths lead to still need one.
   * @default ['/health', '/auth/login', '/public/products']
   */
  publicRoutes?: readonly string[]
  /** Receives a line about each unknown key, with its first five characters. The console by default. */
  log?: Log
}

/**
 * Lets a request through only with a known `X-API-KEY` that has the permission.
 * @example app.use(apiKey({ keys: { 'my-client-key-1': ['read'] } }))
 */
export function apiKey(options: ApiKeyOptions = {}): RequestHandler {
  checkOptions('apiKey', options)
  const { keys = DEFAULT_KEYS, log = warn } = options
  const { publicRoutes = DEFAULTS.apiKey.publicRoutes } = options
  const clients = Object.entries(keys).map(([key, permissions]) => ({ key, permissions }))

  const guard = guardExcept(publicRoutes, admit)

  return function apiKey(req, res, next) {
    guard(req, res, next)
  }

  function admit(req: Request, res: Response): boolean {
    // A repeated header arrives as one value with commas in it, which no key has.
    const key = req.headers['x-api-key']
    const refusal = refusalOf(req, key)
    if (refusal !== undefined) {
      const [code, message] = REFUSALS[refusal]
      refuseRequest(res, 'api-key', code, message, {
        ...(refusal === 'missing' && { timestamp: worldOf(req).clock.iso() }),
        ...(refusal === 'read' && { error: 'Insufficient permissions' }),
      })
      return false
    }
    if (!res.hasHeader('X-RateLimit-Limit') && !res.hasHeader('X-RateLimit-Remaining')) {
      // Placeholders: a layer that really counts requests has already set them, or will overwrite them.
      res.set({ 'X-RateLimit-Limit': '1000', 'X-RateLimit-Remaining': '999' })
    }
    exposeTo(req, res, HEADERS)
    res.set('X-Authenticated-Client', String(key).startsWith('csharp') ? 'dotnet-client' : 'generic')
    return true
  }

  function refusalOf(req: Request, key: unknown): keyof typeof REFUSALS | undefined {
    if (key === undefined) return 'missing'
    if (typeof key !== 'string' || !API_KEY.test(key)) return 'malformed'
    // Every key is compared even after a match, so timing does not tell which one it was.
    const [client] = clients.filter((one) => constantTimeEqual(one.key, key))
    const needed: Permission = isRead(req) ? 'read' : 'write'
    if (client) return client.permissions.includes(needed) ? undefined : needed
    log(`api-key: refused an unknown key that starts with ${key.slice(0, 5)}`)
    return 'unknown'
  }
}

const REFUSALS = {
  missing: ['API_KEY_MISSING', 'An API key is required. Send it in the X-API-KEY header.'],
  malformed: ['API_KEY_MALFORMED', 'X-API-KEY must be one key of 10 to 50 letters, digits and "-".'],
  unknown: ['API_KEY_INVALID', 'This API key is not known here. Check it for typos.'],
  write: ['FORBIDDEN_WRITE', 'This API key may not write. Use a key with the "write" permission.'],
  read: ['AUTH_FORBIDDEN', 'This API key may not read. Use a key with the "read" permission.'],
} as const

const HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-Authenticated-Client']
const DEFAULT_KEYS: Readonly<Record<string, readonly Permission[]>> = {
  'csharp-client-key-001': ['read', 'write'],
  'web-client-key-001': ['read', 'write'],
  'readonly-client-key-001': ['read'],
}
