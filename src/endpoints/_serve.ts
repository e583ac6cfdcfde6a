import { type RequestHandler, Router } from 'express'
import type { Endpoints } from '../catalogue/endpoint.ts'
import { createBodyParser } from '../layers/body-parser.ts'
import { ownUrl } from './_own-url.ts'

interface Serving {
  /** In front of those that change something: refuses pages of other sites. */
  readonly guard?: RequestHandler
  readonly log?: ((line: string) => void) | undefined
}

/** A router of endpoints, each with the handler of its id. */
export function serveEndpoints<Id extends string>(
  endpoints: Endpoints<Id>,
  handlers: Readonly<Record<Id, RequestHandler>>,
  { guard, log }: Serving = {},
): Router {
  const router = Router()
  const readBody = createBodyParser({ ...(log && { log }), isLast: true })
  for (const id in endpoints) {
    const { method, path, body } = endpoints[id]
    if (method !== 'get' && !guard) throw new TypeError(`${method} ${path} changes something: pass a guard`)
    router[method](
      path.replace(/\{(\w+)\}/g, ':$1'),
      ...(path.startsWith('/__') ? [ownUrl] : []),
      ...(guard && method !== 'get' ? [guard] : []),
      ...(body ? [readBody] : []),
      handlers[id],
    )
  }
  return router
}
