import type { Request, Response } from 'express'
import { publicPasses } from '../http/request-context.ts'
import { requireRight } from '../storage/access/may-read.ts'
import { isLong } from '../storage/json/pretty-json.ts'
import type { RouterContext } from './context.ts'
import { isGetOrHead } from './dispatch.ts'
import { handleIgnored, handleMissing } from './query/handling.ts'
import { queryOf } from './query/query-string.ts'
import { readWithDiagnostics } from './query/read-with-diagnostics.ts'
import type { Reading, ReadTarget } from './read.ts'
import { recheckPublicRoute } from './recheck-public-route.ts'
import { describeList, exposeHeaders } from './respond.ts'
import { recordIdle, withoutIdle } from './response/idle-names.ts'
import { scriptOf } from './response/jsonp.ts'
import { type AnyResponse, renderResponse } from './response/render-response.ts'
import { dropReplay } from './response/replay.ts'
import { waitForRoom } from './response/response-room.ts'
import { sendResponse } from './response/send-response.ts'
import { serveWrite } from './serve-write.ts'
import { isJsonpAsked, isPlainJson, type Render, render, show } from './show.ts'
import { findTarget } from './target.ts'

/** Answers any request; reads come from the cache if it is still current. */
export async function serve(
  context: RouterContext,
  renderer: Render,
  req: Request,
  res: Response,
): Promise<void> {
  if (publicPasses(req).length > 0 && !recheckPublicRoute(context, req)) return
  if (!isGetOrHead(req)) return serveWrite(context, renderer, req, res)
  const { engine, answers, access } = context
  const isPlain = renderer === render && isPlainJson(req, res)
  // Middleware may have changed `req.query`: then the URL does not say what is asked for.
  const key = Object.hasOwn(req, 'query') ? undefined : req.url
  const cached = isPlain && key !== undefined ? answers.get(key) : undefined
  if (cached) return send(context, req, res, cached)
  const query = queryOf(req)
  const target: ReadTarget | undefined = DATABASE.test(req.path)
    ? { kind: 'database' }
    : findTarget(engine, req.path)
  if (access && target && 'name' in target) requireRight(access, target.name, 'read')
  const isWanted = () => !res.closed && !req.socket.destroyed
  const request = target && { engine, target, query, access }
  if (!request || !isPlain || 'callback' in query) {
    const reading = request && (await readWithDiagnostics(request, isWanted))
    const renderedBy = target?.kind === 'database' ? render : renderer
    return isPlain
      ? sendUncached(context, req, res, reading, query)
      : sendRendered(context, renderedBy, req, res, reading)
  }
  const name = 'name' in request.target ? request.target.name : ''
  const known = answers.idle.get(name)
  const meant = known && withoutIdle(query, known)
  if (meant) dropReplay(res)
  const isUrl = key !== undefined && meant === undefined
  const answer = await answers.fetch(isUrl ? key : JSON.stringify([target, meant ?? query]), {
    isWanted,
    find: (isWanted) => readWithDiagnostics(request, isWanted),
    render: (reading = NOTHING) => renderResponse(reading, { etagOf: req.app.get('etag fn') }),
  })
  if (answer.reading.idle && !meant) recordIdle(answers.idle, name, answer.reading)
  return send(context, req, res, answer)
}

/** A 404, or a script. */
async function sendUncached(
  context: RouterContext,
  req: Request,
  res: Response,
  reading = NOTHING,
  query: Record<string, unknown>,
): Promise<void> {
  const isJsonp = isJsonpAsked(res, query)
  const script = isJsonp ? scriptOf(query) : undefined
  if (!isJsonp || (script && (reading.joined || isLong(reading.data)))) {
    return send(context, req, res, await renderResponse(reading, { etagOf: req.app.get('etag fn'), script }))
  }
  describe(context, req, res, reading)
  return show(context, render, req, res, reading)
}

async function sendRendered(
  context: RouterContext,
  renderer: Render,
  req: Request,
  res: Response,
  reading = NOTHING,
): Promise<void> {
  if (!(await waitForRoom(reading, res))) return
  describe(context, req, res, reading)
  return show(context, renderer, req, res, reading)
}

const DATABASE = /^\/db\/?$/i

/** A 404. Not cached: nobody polls one. */
const NOTHING: Reading = { data: {}, isCurrent: () => false }

function send(
  context: RouterContext,
  req: Request,
  res: Response,
  rendered: AnyResponse,
): void | Promise<void> {
  // A user's middleware may have timed out and responded already.
  if (res.headersSent) return
  const { reading } = rendered
  describe(context, req, res, reading)
  // For middlewares that read it. Of a long list on access alone: it is a copy of every row, and almost nothing does.
  if (!reading.joined) res.locals.data = reading.data
  else {
    const get = () => reading.data
    Object.defineProperty(res.locals, 'data', { get, configurable: true, enumerable: true })
  }
  return sendResponse(req, res, rendered, context)
}

function describe(context: RouterContext, req: Request, res: Response, reading: Reading): void {
  if (reading === NOTHING) {
    res.statusCode = 404
    handleMissing(context, req)
  } else if (reading.ignored !== undefined || req.headers.prefer !== undefined) {
    handleIgnored(context, req, res, reading)
  }
  // The children of a parent that is not there are none, but no 404 either.
  if (reading.list?.total === 0) handleMissing(context, req)
  if (reading.list) describeList(req, res, reading.list)
  else exposeHeaders(req, res)
}
