import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express'
import type { Endpoints } from '../core/kernel/catalogue/endpoint.ts'
import { ConfigError } from '../core/kernel/catalogue/error-classes.ts'
import { mounts } from '../core/kernel/http/request-context.ts'
import { originOf } from '../core/kernel/http/request-url.ts'
import { sendError, sendJson } from '../core/kernel/http/send-json.ts'
import { ClockError } from '../core/kernel/util/clock.ts'
import { createBodyParser } from '../core/layers/body-parser.ts'

/** A handler for each endpoint of a table. */
export type HandlersOf<Table> = Readonly<Record<keyof Table, RequestHandler>>

interface ServeOptions {
  /** Refuses pages of other sites. In front of endpoints that change something. */
  readonly guard?: RequestHandler
  readonly log?: ((line: string) => void) | undefined
  /** Whether the data has a resource of that name, which an endpoint may give way to. */
  readonly has?: (name: string) => boolean
}

export function serveEndpoints<Id extends string>(
  endpoints: Endpoints<Id>,
  handlers: Readonly<Record<Id, RequestHandler>>,
  { guard, log, has }: ServeOptions = {},
): Router {
  const router = Router()
  const readBody = createBodyParser({ ...(log && { log }), isLast: true })
  for (const id in endpoints) {
    const { method, path, body, isPrivate = method !== 'get', givesWay } = endpoints[id]
    if (isPrivate && !guard) throw new TypeError(`${method} ${path} is not for all pages: pass a guard`)
    const giveWay: RequestHandler = (_req, _res, next) => next(has?.(path.slice(1)) ? 'route' : undefined)
    router[method](
      path.replace(/\{(\w+)\}/g, ':$1'),
      ...(givesWay ? [giveWay] : []),
      ...(path.startsWith('/__') ? [ownUrl] : []),
      ...(guard && isPrivate ? [guard] : []),
      ...(body ? [readBody, handlers[id], refuseUnusable] : [handlers[id]]),
    )
  }
  return router
}

/** Settings in a body that cannot work. */
const refuseUnusable: ErrorRequestHandler = (error, _req, res, next) => {
  if (!(error instanceof ConfigError || error instanceof ClockError)) return next(error)
  sendError(res, 'INVALID_BODY', error.message)
}

/** Skips the route if the URL was rewritten: a rule that makes some paths public must not open these. */
const ownUrl = skipRewritten('route')

/** The same for all routes of a router. */
export const ownUrls = skipRewritten('router')

function skipRewritten(skip: 'route' | 'router'): RequestHandler {
  return (req, _res, next) => next(isOwnUrl(req) ? undefined : skip)
}

export function isOwnUrl({ baseUrl, url, originalUrl }: Request): boolean {
  return `${baseUrl}${url}` === originalUrl
}

/** The 404 that json-server clients rely on. */
export function sendNotFound(res: Response): void {
  sendJson(res, 404, {})
}

/** The absolute URL of `path`; relative if the Host header is missing or malformed. */
export function absoluteUrl(req: Request, path: string): string {
  return `${originOf(req) ?? ''}${mounts.get(req)?.path ?? ''}${path}`
}
