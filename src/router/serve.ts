import type { Request, Response } from 'express'
import type { Catalog, Engine } from '../storage/engine.ts'
import { admit } from './answer/answer-room.ts'
import { scriptOf } from './answer/jsonp.ts'
import { type AnyAnswer, isLongReading, renderAnswer } from './answer/render-answer.ts'
import { sendAnswer } from './answer/send-answer.ts'
import { admitTo, type RouterContext } from './context.ts'
import { isGetOrHead } from './dispatch.ts'
import { askNoting } from './explain/ask-noting.ts'
import { handleIgnored, handleMissing } from './explain/handling.ts'
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
  return isGetOrHead(req) ? serveRead(context, renderer, req, res) : serveWrite(context, renderer, req, res)
}

function serveRead(
  context: RouterContext,
  renderer: Render,
  req: Request,
  res: Response,
): void | Promise<void> {
  const { engine, answers } = context
  const isPlain = renderer === render && isPlainJson(req, res)
  const etagOf = req.app.get('etag fn')
  // Nothing in the cache can be trusted from now on.
  if (!isStable(engine)) answers.clear()
  const mayKeep = isPlain && isStable(engine)
  const isUntouched = !Object.hasOwn(req, 'query')
  const known = mayKeep && isUntouched ? answers.get(req.url) : undefined
  if (known) return send(known)

  const query = queryOf(req)
  const isJsonp = isJsonpAsked(res, query)
  const script = isPlain && isJsonp ? scriptOf(query) : undefined
  const target = findReadTarget(engine, req.path)
  if (target && target.kind !== 'database') admitTo(context, target.name, 'read')
  const asked = target && askNoting(engine, target, query, context.view)
  const isWanted = () => !res.closed && !req.socket.destroyed
  const key = isUntouched ? req.url : asked?.key
  if (asked && mayKeep && key !== undefined && !('callback' in query)) {
    const render = (reading = NOTHING) => renderAnswer(reading, { etagOf, isStable: isStable(engine) })
    return send(answers.fetch(key, { isWanted, find: asked.find, render }))
  }
  return find(answer)

  function find(then: (reading: Reading | undefined) => void | Promise<void>): void | Promise<void> {
    const found = asked?.find(isWanted)
    return found instanceof Promise ? found.then(then) : then(found)
  }

  function answer(reading: Reading | undefined): void | Promise<void> {
    if (isPlain && isStable(engine)) return answerNow(reading)
    const pending = reading && admit(reading, res, isPlain)
    // The data may have changed while it waited for room: read it again.
    return pending ? pending.then((isWanted) => (isWanted ? find(answerNow) : undefined)) : answerNow(reading)
  }

  function answerNow(reading: Reading = NOTHING): void | Promise<void> {
    if (!isPlain || (isJsonp && !(script && isLongReading(reading)))) {
      describe(context, req, res, reading)
      return show(context, target?.kind === 'database' ? render : renderer, req, res, reading)
    }
    return send(renderAnswer(reading, { etagOf, isStable: isStable(engine), script }))
  }

  function send(rendered: AnyAnswer | Promise<AnyAnswer>): void | Promise<void> {
    if (rendered instanceof Promise) return rendered.then(sendLate)
    describe(context, req, res, rendered.reading)
    tell(res, rendered.reading)
    return sendAnswer(req, res, rendered, context)
  }

  function sendLate(rendered: AnyAnswer): void | Promise<void> {
    // A user's middleware may have timed out and responded already.
    if (res.headersSent) return
    if (isStable(engine)) return send(rendered)
    // Others may have gained access to the rows, and changed some, while the response was rendered.
    return send(renderAnswer(rendered.reading, { etagOf, isStable: false, script }))
  }
}

function findReadTarget(catalog: Catalog, path: string): ReadTarget | undefined {
  return /^\/db\/?$/i.test(path) ? { kind: 'database' } : findTarget(catalog, path)
}

/** Whether nobody else can change the engine's rows in place. */
function isStable(engine: Engine): boolean {
  return engine.isStable?.() ?? true
}

/** A 404. Not cached: nobody polls one. */
const NOTHING: Reading = { data: {}, isCurrent: () => false }

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
