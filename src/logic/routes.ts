import { ConfigError } from '../catalogue/error-classes.ts'
import type { Handler } from './define.ts'

export interface Route {
  readonly method: string
  readonly path: string
  readonly segments: readonly string[]
  readonly handler: Handler
}

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const KEY = /^([a-z]+) (\/[^\s?#]*)$/i

/** Refuses a path that is not one, that belongs to the server, or that is there twice, whatever its parameters are called. */
export function compileRoutes(
  entries: readonly (readonly [key: string, handler: unknown])[],
): readonly Route[] {
  const seen = new Map<string, string>()
  const routes = entries.map(([key, handler]): Route => {
    const [, method = '', path = ''] = KEY.exec(key) ?? []
    if (path === '') throw new ConfigError(`"${key}" is not a path. Write it as "POST /orders/:id/finish".`)
    if (!METHODS.includes(method))
      throw new ConfigError(`"${key}" has to begin with one of ${METHODS.join(', ')}.`)
    if (typeof handler !== 'function') throw new ConfigError(`"${key}" has to be a function.`)
    if (path.startsWith('/__')) throw new ConfigError(`"${key}": paths with /__ are the server's own.`)
    const segments = segmentsOf(path)
    checkSegments(key, segments)
    const shape = `${method} ${segments.map((part) => (isParameter(part) ? ':' : part.toLowerCase())).join('/')}`
    const other = seen.get(shape)
    if (other !== undefined)
      throw new ConfigError(`"${other}" and "${key}" are the same path. Keep one of them.`)
    seen.set(shape, key)
    return { method, path, segments, handler: handler as Handler }
  })
  return routes.sort(bySpecificity)
}

function checkSegments(key: string, segments: readonly string[]): void {
  if (key === 'GET /') throw new ConfigError('"GET /" would never run: the page of the server is there.')
  const wrong = segments.find((part) => part === '' || part.includes('*') || /^:(?!\w+$)/.test(part))
  if (wrong !== undefined) {
    throw new ConfigError(`"${key}": write a part of the path as text, or as :name for any one part.`)
  }
  const parameters = segments.filter(isParameter)
  const twice = parameters.find((part, at) => parameters.indexOf(part) !== at)
  if (twice !== undefined) throw new ConfigError(`"${key}" has ${twice} twice. Rename one of them.`)
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
