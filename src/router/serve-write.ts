import type { Request, Response } from 'express'
import { addApplied, preferencesOf } from '../http/headers.ts'
import type { RouterContext, WriteResponse } from './context.ts'
import { METHODS, write } from './dispatch.ts'
import { handleMissing } from './query/handling.ts'
import { queryOf } from './query/query-string.ts'
import { exposeHeaders } from './respond.ts'
import { itemTag } from './response/item-tag.ts'
import { renderResponse } from './response/render-response.ts'
import { sendResponse } from './response/send-response.ts'
import { isJsonpAsked, isPlainJson, type Render, render, show } from './show.ts'
import { findTarget } from './target.ts'
import { PLACE } from './write/place-header.ts'
import { isUpsertUnread } from './write/upsert.ts'

export async function serveWrite(
  context: RouterContext,
  renderer: Render,
  req: Request,
  res: Response,
): Promise<void> {
  const target = findTarget(context.engine, req.path)
  if (target && req.method === 'OPTIONS') {
    const allowed = METHODS[target.kind]
    res.set('Allow', allowed).send(allowed)
    return
  }
  const { metaOf, sealOf } = context
  const noted = metaOf || sealOf ? { ...context, meta: metaOf?.(req), seal: sealOf?.(req) } : context
  const answer = target && (await write(noted, target, req))
  res.statusCode = answer ? (answer.status ?? 200) : 404
  if (!answer) handleMissing(context, req, isUpsertUnread(req) ? target : undefined)
  describe(req, res, answer)
  const wish = answer && wishOf(req)
  if (wish) addApplied(req, res, [`return=${wish}`])
  if (answer && wish === 'minimal') return sendNothing(req, res, answer)
  const isShown = wish === 'representation' && answer?.removed !== undefined
  const data = isShown ? answer.removed : answer ? answer.data : {}
  const reading = { data, isCurrent: () => false }
  if (renderer !== render || !isPlainJson(req, res) || isJsonpAsked(res, queryOf(req))) {
    return show(context, renderer, req, res, reading)
  }
  res.locals.data = data
  const rendered = await renderResponse(reading, { etagOf: req.app.get('etag fn') })
  return sendResponse(req, res, rendered, context)
}

function describe(req: Request, res: Response, answer: WriteResponse): void {
  const { location, place, total } = answer ?? {}
  if (location !== undefined) res.setHeader('Location', location)
  if (place !== undefined) res.setHeader(PLACE, place)
  if (total !== undefined) res.setHeader('X-Total-Count', total)
  const named = [
    ...(location === undefined ? [] : ['Location']),
    ...(total === undefined ? [] : ['X-Total-Count']),
  ]
  exposeHeaders(req, res, ...named)
}

/** A response without a body: everything is in the headers. */
async function sendNothing(
  req: Request,
  res: Response,
  { row, data }: NonNullable<WriteResponse>,
): Promise<void> {
  res.locals.data = data
  const tag = row && (await itemTag(req, row))
  if (tag) res.setHeader('ETag', tag)
  if (res.statusCode === 201) res.setHeader('Content-Length', 0)
  else res.statusCode = 204
  res.end()
}

/** What the client wants in the response to a write: `Prefer: return=minimal`. Undefined if it does not say. */
function wishOf(req: Request): 'minimal' | 'representation' | undefined {
  if (req.headers.prefer === undefined) return undefined
  const wish = preferencesOf(req).get('return')
  return wish === 'minimal' || wish === 'representation' ? wish : undefined
}
