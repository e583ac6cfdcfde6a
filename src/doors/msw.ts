import { type HttpHandler, HttpResponse, http } from 'msw'
import type { OpenedServer } from '../index.ts'

/**
 * Handlers for MSW, 2 or 3, that let the API respond to all requests below a path.
 * @example
 * const api = await open({ data: { posts: [] } })
 * setupServer(...handlers(api, '*\/api')).listen()
 */
export function handlers(api: Pick<OpenedServer, 'fetch'>, base = '*'): HttpHandler[] {
  const root = base.replace(/\/$/, '')
  // What is left of `*/api` and `https://example.com/api` is `/api`.
  const path = root.replace(/^(?:\*|[a-z]+:\/\/[^/]+)/i, '')
  const respond = ({ request }: { request: Request }) =>
    // To MSW, a rejection is a bug of the handler.
    api.fetch(request, { base: path }).catch(() => HttpResponse.error())
  return [http.all(root, respond), http.all(`${root}/*`, respond)]
}
