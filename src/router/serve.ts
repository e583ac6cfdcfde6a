import type { Request, Response } from 'express'
import cloneDeep from 'lodash/cloneDeep.js'
import type { Catalog, Engine } from '../storage/engine.ts'
import { admit } from './answer/answer-room.ts'
import { scriptOf } from './answer/jsonp.ts'
import { type AnyAnswer, isLongReading, renderAnswer } from './answer/render-answer.ts'
import { sendAnswer } from './answer/send-answer.ts'
import type { RouterContext } from './context.ts'
import { isGetOrHead, METHODS, write } from './dispatch.ts'
import { mayReach } from './may-reach.ts'
import { queryOf } from './query/request-query.ts'
import { ask, type Reading, type ReadTarget } from './read.ts'
import { describeList, exposeHeaders } from './respond.ts'
import { findTarget } from './target.ts'
import { PLACE } from './write/place-header.ts'

/** Sends `res.locals.data`. */
export type Render = (req: Request, res: Response) => unknown

/** What the router sends answers with, unless its owner put something else there. */
export function render(_req: Request, res: Response): void {
  res.jsonp(res.locals.data)
}

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

async function serveWrite(context: RouterContext, own: Render, req: Request, res: Response): Promise<void> {
  const target = findTarget(context.engine, req.path)
  if (target && req.method === 'OPTIONS') {
    const allowed = METHODS[target.kind]
    res.set('Allow', allowed).send(allowed)
    return
  }
  const answer = target && (await write(context, target, req))
  res.statusCode = answer ? (answer.status ?? 200) : 404
  if (answer?.location !== undefined) {
    res.setHeader('Location', answer.location)
    exposeHeaders(req, res, 'Location')
  } else exposeHeaders(req, res)
  if (answer?.place !== undefined) res.setHeader(PLACE, answer.place)
  const reading = { data: answer?.data ?? {}, isCurrent: () => false }
  if (own !== render || !isPlainJson(req, res) || isJsonpAsked(res, queryOf(req))) {
    return show(context, own, req, res, reading)
  }
  res.locals.data = reading.data
  const etagOf = req.app.get('etag fn')
  const rendered = await renderAnswer(reading, { etagOf, isStable: isStable(context.engine) })
  return sendAnswer(req, res, rendered, context)
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
  const asked = target && ask(engine, target, query)
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
      describe(req, res, reading)
      return show(context, target?.kind === 'database' ? render : own, req, res, reading)
    }
    return send(renderAnswer(reading, { etagOf, isStable: isStable(engine), script }))
  }

  function send(rendered: AnyAnswer | Promise<AnyAnswer>): void | Promise<void> {
    if (rendered instanceof Promise) return rendered.then(sendLate)
    describe(req, res, rendered.reading)
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

function describe(req: Request, res: Response, reading: Reading): void {
  if (reading === NOTHING) res.statusCode = 404
  if (reading.list) describeList(req, res, reading.list)
  else exposeHeaders(req, res)
}

function isJsonpAsked(res: Response, query: Record<string, unknown>): boolean {
  return 'callback' in query && !isClosed(res)
}

/** Whether pages of other origins are to be kept from embedding the answer: JSONP is nothing else. */
function isClosed(res: Response): boolean {
  return res.getHeader('Cross-Origin-Resource-Policy') === 'same-origin'
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

/** A render of the user's own may change what it is given; what is stored must not change with it. */
function show(
  { compress }: RouterContext,
  own: Render,
  req: Request,
  res: Response,
  { data }: Reading,
): Promise<void> {
  res.locals.data = own === render ? data : cloneDeep(data)
  if (isClosed(res)) res.jsonp = res.json
  return new Promise((resolve, reject) => {
    const send = () => Promise.resolve(own(req, res)).then(() => resolve(), reject)
    if (compress) compress(req, res, send)
    else void send()
  })
}

/**
 * Whether `res.jsonp` would send what we send by ourselves: an application may have other settings, and a middleware
 * of the user's own may have put its own function in the place of Express's.
 */
function isPlainJson({ app }: Request, res: Response): boolean {
  const { settings } = app
  return (
    settings['json spaces'] === 2 &&
    settings.etag === 'weak' &&
    settings['json replacer'] === undefined &&
    !settings['json escape'] &&
    settings['jsonp callback name'] === 'callback' &&
    !Object.hasOwn(res, 'send') &&
    !Object.hasOwn(res, 'json') &&
    !Object.hasOwn(res, 'jsonp') &&
    !res.hasHeader('Content-Type')
  )
}
