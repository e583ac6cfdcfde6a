import { ConfigError } from '../catalogue/error-classes.ts'
import type { Handler } from './define.ts'

export interface Route {
  readonly method: string
  readonly path: string
  readonly segments: readonly string[]
  readonly handler: Handler
}

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Refuses a path that is not one, that belongs to the server, or that is there twice, whatever its parameters are called. */
export function compileRoutes(
  entries: readonly (readonly [key: string, handler: unknown])[],
): readonly Route[] {
  const seen = new Map<string, string>()
  const routes = entries.map(([key, handler]): Route => {
    const [, method = '', path = ''] = /^([a-z]+) (\/[^\s?#]*)$/i.exec(key) ?? []
    const fault = faultOf(method, path)
    if (fault !== undefined) throw new ConfigError(`"${key}" ${fault}`)
    if (typeof handler !== 'function') throw new ConfigError(`"${key}" has to be a function.`)
    const segments = segmentsOf(path)
    const shape = `${method} ${segments.map((part) => (isParameter(part) ? ':' : part.toLowerCase())).join('/')}`
    const other = seen.get(shape)
    if (other !== undefined)
      throw new ConfigError(`"${other}" and "${key}" are the same path. Keep one of them.`)
    seen.set(shape, key)
    return { method, path, segments, handler: handler as Handler }
  })
  return routes.sort(bySpecificity)
}

/** What is wrong with it, to be said after its name. */
function faultOf(method: string, path: string): string | undefined {
  if (path === '') return 'is not a path. Write it as "POST /orders/:id/finish".'
  if (!METHODS.includes(method)) return `has to begin with one of ${METHODS.join(', ')}.`
  if (path.startsWith('/__')) return "is one of the server's own paths, which begin with /__."
  if (path === '/' && method === 'GET') return 'is where the page is. Use another path.'
  const odd = segmentsOf(path).find((segment) => segment.includes('*') || /^:(?![\w-]+$)/.test(segment))
  return odd === undefined ? undefined : `has "${odd}" in it. Use :name, which stands for one part of a path.`
}

export interface Matched {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

export function matchRoute(routes: readonly Route[], method: string, path: string): Matched | undefined {
  const parts = segmentsOf(path)
  // The server's own addresses, which `/:name` would match.
  if (path.startsWith('/__')) return undefined
  for (const route of routes) {
    const isMethod = route.method === method || (method === 'HEAD' && route.method === 'GET')
    const params = isMethod ? paramsOf(route.segments, parts) : undefined
    if (params) return { route, params }
  }
  return undefined
}

/** A slash at the end makes no difference. */
function segmentsOf(path: string): readonly string[] {
  return path.replace(/\/$/, '').split('/').slice(1)
}

function paramsOf(
  segments: readonly string[],
  parts: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (segments.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    const part = decoded(parts[at] ?? '')
    if (part === undefined || part === '') return undefined
    if (isParameter(segment)) params[segment.slice(1)] = part
    else if (segment.toLowerCase() !== part.toLowerCase()) return undefined
  }
  return params
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':')
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** `/orders/stats` before `/orders/:id`, whatever their order in the file. */
function bySpecificity(a: Route, b: Route): number {
  for (const [at, segment] of a.segments.entries()) {
    const difference = Number(isParameter(segment)) - Number(isParameter(b.segments[at] ?? ''))
    if (difference !== 0) return difference
  }
  return 0
}
