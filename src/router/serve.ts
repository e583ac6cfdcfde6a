import type { Request, Response } from 'express'
import cloneDeep from 'lodash/cloneDeep.js'
import type { Store } from '../storage/store.ts'
import { RenderedAnswer } from './answer-cache.ts'
import type { RouterContext } from './context.ts'
import { isRead, METHODS, write } from './dispatch.ts'
import { type Reading, type ReadTarget, read } from './read.ts'
import { queryOf } from './request-query.ts'
import { describeList, exposeHeaders } from './respond.ts'
import { sendAnswer } from './send-answer.ts'
import { findTarget } from './target.ts'

/** Sends `res.locals.data`. */
export type Render = (req: Request, res: Response) => unknown

/** What the router sends answers with, unless its owner put something else there. */
export function render(_req: Request, res: Response): void {
  res.jsonp(res.locals.data)
}

/** Answers a request, whatever it asks for: reads from what was sent before, where that is still right. */
export async function serve(context: RouterContext, own: Render, req: Request, res: Response): Promise<void> {
  if (isRead(req)) return serveRead(context, own, req, res)
  const target = findTarget(context.store, req.path)
  if (target && req.method === 'OPTIONS') {
    const allowed = METHODS[target.kind]
    res.set('Allow', allowed).send(allowed)
    return
  }
  const answer = target && (await write(context, target, req, res))
  res.status(answer ? (answer.status ?? 200) : 404)
  await show(context, own, req, res, answer?.data ?? {})
}

async function serveRead(context: RouterContext, own: Render, req: Request, res: Response): Promise<void> {
  const { store, answers } = context
  const isPlain = own === render && isPlainJson(req, res)
  const mayKeep = isPlain && store.isOwned && !Object.hasOwn(req, 'query')
  const known = mayKeep ? answers.get(req.url) : undefined
  if (known) {
    describe(req, res, known.reading)
    return sendAnswer(req, res, known, context.compress !== undefined)
  }

  const query = queryOf(req)
  const target = findReadTarget(store, req.path)
  const asked = target && read(store, target, query)
  const found = asked instanceof Promise ? await asked : asked
  const reading = found ?? NOTHING
  if (!found) res.status(404)
  describe(req, res, reading)
  if (isPlain && !('callback' in query)) {
    const answer = new RenderedAnswer(reading, req.app.get('etag fn'))
    if (mayKeep && found) answers.set(req.url, answer)
    return sendAnswer(req, res, answer, context.compress !== undefined)
  }
  await show(context, target?.kind === 'database' ? render : own, req, res, reading.data)
}

function findReadTarget(store: Store, path: string): ReadTarget | undefined {
  return /^\/db\/?$/i.test(path) ? { kind: 'database' } : findTarget(store, path)
}

const NOTHING: Reading = { data: {}, isCurrent: () => true }

function describe(req: Request, res: Response, { list }: Reading): void {
  if (list) describeList(req, res, list)
  else exposeHeaders(req, res)
}

/** A render of the user's own may change what it is given; what is stored must not change with it. */
function show(
  { compress }: RouterContext,
  own: Render,
  req: Request,
  res: Response,
  data: unknown,
): Promise<void> {
  res.locals.data = own === render ? data : cloneDeep(data)
  return new Promise((resolve, reject) => {
    const send = () => Promise.resolve(own(req, res)).then(() => resolve(), reject)
    if (compress) compress(req, res, send)
    else void send()
  })
}

/** Whether `res.jsonp` would send what we send by ourselves: an application may have other settings. */
function isPlainJson(req: Request, res: Response): boolean {
  const { settings } = req.app
  return settings['json spaces'] === 2 && settings.etag === 'weak' && !res.hasHeader('Content-Type')
}
