import type { Catalog } from '../engine/engine.ts'
import { requireRight } from '../engine/rules/check-access.ts'
import type { SentUrls } from './attachments.ts'
import { handleIgnored, handleMissing } from './query/handle-ignored.ts'
import { queryOf } from './query/query-string.ts'
import { type ReadRequest, readWithDiagnostics } from './query/read-with-diagnostics.ts'
import { NOTHING, type ReadTarget, type RenderableResult } from './read.ts'
import { exposeHeaders, setListHeaders } from './respond.ts'
import { type AnyResponse, renderResponse } from './response/render-response.ts'
import { waitForRoom } from './response/response-memory.ts'
import { sendResponse } from './response/send-response.ts'
import { callbackOf, isPlainJson, render, type Serving, show } from './show.ts'
import { DATABASE, findTarget } from './target.ts'
import { withKeys } from './with-keys.ts'

/** A read. */
export async function serve(serving: Serving): Promise<void> {
  const { context, renderer, req, res } = serving
  const { engine, responses, access, shapes, attachments } = context
  const isPlain = renderer === render && isPlainJson(req, res)
  const shape = shapes?.of(req)
  const urls = attachments?.urlsFor(req)
  const prefix = (urls?.root ?? '') + (shape?.cachePrefix ?? '')
  // With a `req.query` that middleware may have changed, the URL is not the key.
  const key = Object.hasOwn(req, 'query') ? undefined : prefix + req.url
  const cached = isPlain && key !== undefined ? responses.get(key) : undefined
  if (cached) return send(serving, cached.reading, cached)
  const query = queryOf(req)
  const named: ReadTarget | undefined = DATABASE.test(req.path)
    ? { kind: 'database' }
    : findTarget(engine, req.path)
  const target = named && engine.naming.references ? await withKeys(engine, named) : named
  if (access && target && 'name' in target) requireRight(access, target.name, 'read')
  const request = target && { engine, target, query, access }
  const isExact = target?.kind === 'database' || target?.isExact
  if (request && isPlain && isExact && !('callback' in query))
    return serveShared(serving, { request, prefix, key, urls: target.kind === 'database' ? undefined : urls })
  const found = (request && (await readWithDiagnostics(request))) ?? NOTHING
  const reading = shapes ? shapes.result(req, res, found) : found
  if (isPlain)
    return send(
      serving,
      reading,
      await renderResponse(reading, callbackOf(res, query), target?.kind === 'database' ? undefined : urls),
    )
  if (!(await waitForRoom(reading, res))) return
  return send(target?.kind === 'database' ? { ...serving, renderer: render } : serving, reading)
}

interface SharedRead {
  readonly request: ReadRequest
  /** Tells responses of equal URLs apart. */
  readonly prefix: string
  /** Of its response, if the URL says all that it depends on. */
  readonly key: string | undefined
  readonly urls: SentUrls | undefined
}

/** Renders once for all that ask for the same at the same time. */
async function serveShared(serving: Serving, { request, prefix, key, urls }: SharedRead): Promise<void> {
  const { req, res } = serving
  const { responses, shapes } = serving.context
  const name = key ?? `${prefix}${req.path}\n${JSON.stringify(request.query)}`
  const shared = key === undefined ? responses.get(name) : undefined
  const response =
    shared ??
    (await responses.fetch(name, {
      request,
      find: readWithDiagnostics,
      render:
        shapes || urls
          ? (reading = NOTHING) =>
              renderResponse(shapes?.result(req, res, reading) ?? reading, undefined, urls)
          : renderResponse,
    }))
  return send(serving, response.reading, response)
}

/** Whether there is something at a path, found or not: `/posts/99`, but not `/pots`. */
export function isServed(catalog: Catalog, path: string): boolean {
  return DATABASE.test(path) || findTarget(catalog, path) !== undefined
}

/** @param rendered without it, a renderer sends what was read */
function send(serving: Serving, reading: RenderableResult, rendered?: AnyResponse): void | Promise<void> {
  const { context, req, res } = serving
  if (rendered && res.headersSent) return
  if (reading.isMissing) {
    res.statusCode = context.shapes?.of(req)?.status.missing ?? 404
    handleMissing(context, req, res)
  } else if (reading.ignored !== undefined || req.headers.prefer !== undefined) {
    handleIgnored(context, req, res, reading)
  }
  // A missing parent has no children, which is a 200.
  if (reading.list?.total === 0) handleMissing(context, req, res)
  const shape = context.shapes?.of(req)
  if (reading.list) setListHeaders(req, res, reading.list, shape?.pageParameter, shape?.sent.get('_cursor'))
  else exposeHeaders(req, res)
  return rendered ? sendResponse(req, res, rendered, context) : show(serving, reading)
}
