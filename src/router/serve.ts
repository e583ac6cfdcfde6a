import type { Request, Response } from 'express'
import type { Catalog, Engine } from '../storage/engine.ts'
import { admit } from './answer/answer-room.ts'
import { scriptOf } from './answer/jsonp.ts'
import { type AnyAnswer, isLongReading, renderAnswer } from './answer/render-answer.ts'
import { sendAnswer } from './answer/send-answer.ts'
import type { RouterContext } from './context.ts'
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

/** Answers a request, whatever it asks for: reads from what was sent before, where that is still right. */
export function serve(
  context: RouterContext,
  own: Render,
  req: Request,
  res: Response,
): void | Promise<void> {
  if (!mayReach(context, req)) return
  return isGetOrHead(req) ? serveRead(context, own, req, res) : serveWrite(context, own, req, res)
}

function serveRead(context: RouterContext, own: Render, req: Request, res: Response): void | Promise<void> {
  const { engine, answers } = context
  const isPlain = own === render && isPlainJson(req, res)
  const etagOf = req.app.get('etag fn')
  // Nothing that was kept will be right again.
  if (!isStable(engine)) answers.clear()
  const mayKeep = isPlain && isStable(engine)
  const isUntouched = !Object.hasOwn(req, 'query')
  const known = mayKeep && isUntouched ? answers.get(req.url) : undefined
  if (known) return send(known)

  const query = queryOf(req)
  const isJsonp = isJsonpAsked(res, query)
  const script = isPlain && isJsonp ? scriptOf(query) : undefined
  const target = findReadTarget(engine, req.path)
  const asked = target && askNoting(engine, target, query)
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
    // Until there is room for it, it may have become another.
    return pending ? pending.then((isWanted) => (isWanted ? find(answerNow) : undefined)) : answerNow(reading)
  }

  function answerNow(reading: Reading = NOTHING): void | Promise<void> {
    if (!isPlain || (isJsonp && !(script && isLongReading(reading)))) {
      describe(context, req, res, reading)
      return show(context, target?.kind === 'database' ? render : own, req, res, reading)
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
    // A middleware of the user's own may have lost patience.
    if (res.headersSent) return
    if (isStable(engine)) return send(rendered)
    // Others may have got hold of the rows, and have changed some, while it was written out.
    return send(renderAnswer(rendered.reading, { etagOf, isStable: false, script }))
  }
}

function findReadTarget(catalog: Catalog, path: string): ReadTarget | undefined {
  return /^\/db\/?$/i.test(path) ? { kind: 'database' } : findTarget(catalog, path)
}

/** Whether nobody else can change in place what the engine gives. */
function isStable(engine: Engine): boolean {
  return engine.isStable?.() ?? true
}

/** A 404, and not kept: nobody asks for it again and again. */
const NOTHING: Reading = { data: {}, isCurrent: () => false }

function describe(context: RouterContext, req: Request, res: Response, reading: Reading): void {
  if (reading === NOTHING) {
    res.statusCode = 404
    handleMissing(context, req)
  } else if (reading.ignored !== undefined || req.headers.prefer !== undefined) {
    handleIgnored(context, req, res, reading)
  }
  if (reading.list) describeList(req, res, reading.list)
  else exposeHeaders(req, res)
}

/** What was answered, for whoever looks at it there. */
function tell(res: Response, reading: Reading): void {
  if (!reading.joined) {
    res.locals.data = reading.data
    return
  }
  // Made when somebody looks: nearly nobody does, and it is a copy of every row.
  const get = () => reading.data
  Object.defineProperty(res.locals, 'data', { get, configurable: true, enumerable: true })
}
