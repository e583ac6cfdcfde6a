import type { Request, Response } from 'express'
import type { Catalog } from '../storage/engine.ts'
import { admit } from './answer/answer-room.ts'
import { scriptOf } from './answer/jsonp.ts'
import { type AnyAnswer, isLongReading, renderAnswer } from './answer/render-answer.ts'
import { sendAnswer } from './answer/send-answer.ts'
import type { Want } from './answer/single-flight.ts'
import { admitTo, type RouterContext } from './context.ts'
import { isGetOrHead } from './dispatch.ts'
import { handleIgnored, handleMissing } from './explain/handling.ts'
import { type ReadRequest, readWithDiagnostics } from './explain/read-with-diagnostics.ts'
import { mayReach } from './may-reach.ts'
import { queryOf } from './query/request-query.ts'
import type { Reading, ReadTarget } from './read.ts'
import { describeList, exposeHeaders } from './respond.ts'
import { serveWrite } from './serve-write.ts'
import { isJsonpAsked, isPlainJson, type Render, render, show } from './show.ts'
import { findTarget } from './target.ts'

/** Answers any request; reads come from the cache if it is still current. */
export function serve(
  context: RouterContext,
  renderer: Render,
  req: Request,
  res: Response,
): void | Promise<void> {
  if (!mayReach(context, req)) return
  if (context.view) res.vary(WHO_ASKS)
  if (!isGetOrHead(req)) return serveWrite(context, renderer, req, res)
  const isPlain = renderer === render && isPlainJson(req, res)
  const cached = isPlain && isUrlMeant(req) ? context.answers.get(req.url) : undefined
  // Others may have written something that the engine has not heard of yet.
  const news = cached && context.engine.catchUp()
  if (cached && !news) return send(context, req, res, cached)
  return serveRead(context, isPlain, renderer, req, res, news)
}

async function serveRead(
  context: RouterContext,
  isPlain: boolean,
  renderer: Render,
  req: Request,
  res: Response,
  news: Promise<void> | undefined,
): Promise<void> {
  await news
  const { engine, answers, view } = context
  const query = queryOf(req)
  const target = findReadTarget(engine, req.path)
  if (target && 'name' in target) admitTo(context, target.name, 'read')
  const client = target && new Client({ engine, target, query, view }, req, res)
  if (client && isPlain && !('callback' in query)) {
    if (isUrlMeant(req)) return send(context, req, res, await answers.fetch(req.url, client))
    await engine.catchUp()
    return send(context, req, res, await answers.fetch(JSON.stringify([target, query]), client))
  }
  const reading = (await client?.find()) ?? NOTHING
  if (!isPlain && !(await admit(reading, res))) return
  const isJsonp = isJsonpAsked(res, query)
  const script = isPlain && isJsonp ? scriptOf(query) : undefined
  if (!isPlain || (isJsonp && !(script && isLongReading(reading)))) {
    describe(context, req, res, reading)
    return show(context, target?.kind === 'database' ? render : renderer, req, res, reading)
  }
  return send(context, req, res, await renderAnswer(reading, { etagOf: req.app.get('etag fn'), script }))
}

/** A client that waits for a read. */
class Client implements Want {
  readonly #request: ReadRequest
  readonly #req: Request
  readonly #res: Response

  constructor(request: ReadRequest, req: Request, res: Response) {
    this.#request = request
    this.#req = req
    this.#res = res
  }

  isWanted(): boolean {
    return !this.#res.closed && !this.#req.socket.destroyed
  }

  find(isWanted = () => this.isWanted()): Promise<Reading | undefined> {
    return readWithDiagnostics(this.#request, isWanted)
  }

  render(reading: Reading = NOTHING): Promise<AnyAnswer> {
    return renderAnswer(reading, { etagOf: this.#req.app.get('etag fn') })
  }
}

/** What tells who asks: caches on the way must not give one client the answer of another. */
const WHO_ASKS = 'Authorization, Cookie, X-Mock-User'

/** Middleware may have changed `req.query`: then the URL does not say what is asked for. */
function isUrlMeant(req: Request): boolean {
  return !Object.hasOwn(req, 'query')
}

function findReadTarget(catalog: Catalog, path: string): ReadTarget | undefined {
  return /^\/db\/?$/i.test(path) ? { kind: 'database' } : findTarget(catalog, path)
}

/** A 404. Not cached: nobody polls one. */
const NOTHING: Reading = { data: {}, isCurrent: () => false }

function send(
  context: RouterContext,
  req: Request,
  res: Response,
  rendered: AnyAnswer,
): void | Promise<void> {
  // A user's middleware may have timed out and responded already.
  if (res.headersSent) return
  describe(context, req, res, rendered.reading)
  tell(res, rendered.reading)
  return sendAnswer(req, res, rendered, context)
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

/** Exposes the result to middlewares that read `res.locals.data`. */
function tell(res: Response, reading: Reading): void {
  if (!reading.joined) {
    res.locals.data = reading.data
    return
  }
  // Computed on access: it is a copy of every row, and almost nothing reads it.
  const get = () => reading.data
  Object.defineProperty(res.locals, 'data', { get, configurable: true, enumerable: true })
}
