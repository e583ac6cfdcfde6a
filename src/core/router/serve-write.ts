import type { Request, Response } from 'express'
import type { Engine } from '../engine/engine.ts'
import { requireRight } from '../engine/rules/check-access.ts'
import type { Action } from '../engine/rules/rights.ts'
import { addApplied, preferenceOf } from '../kernel/http/headers.ts'
import type { RouterContext, WriteResponse } from './context.ts'
import { destroyMatching, updateMatching } from './filtered-writes.ts'
import { linksTo } from './links-above.ts'
import { hasNoBody, statusOfWrite } from './own-statuses.ts'
import { itemTag } from './precondition.ts'
import { handleEmptyBody, handleMissing } from './query/handle-ignored.ts'
import { queryOf } from './query/query-string.ts'
import type { RenderableResult } from './read.ts'
import { create, destroy, POSITION_HEADER, update, writeObject } from './resource-writes.ts'
import { exposeHeaders, LONGEST_HEADER } from './respond.ts'
import { renderResponse } from './response/render-response.ts'
import { sendResponse } from './response/send-response.ts'
import type { Shapes } from './shape.ts'
import { callbackOf, isPlainJson, render, type Serving, show } from './show.ts'
import { findTarget, parentOf, type Target } from './target.ts'
import { isUpsert, isUpsertUnread } from './upsert.ts'
import { withKeys } from './with-keys.ts'

/** @param engine with all rights, unlike that of the context */
export async function serveWrite(serving: Serving, engine: Engine): Promise<void> {
  const { context, renderer, req, res } = serving
  const target = findTarget(context.engine, req.path)
  if (target && req.method === 'OPTIONS') {
    const allowed = target.parent && target.kind !== 'item' ? METHODS_BELOW : METHODS[target.kind]
    res.set('Allow', allowed).send(allowed)
    return
  }
  const { causeOf, sealOf } = context
  const caused = causeOf || sealOf ? { ...context, cause: causeOf?.(req), seal: sealOf?.(req) } : context
  const whole = target && (await withKeys(engine, target))
  const response = whole && (await write({ context: caused, target: whole, engine }, req, res))
  const own = context.shapes?.of(req)?.status ?? {}
  const preference = response && preferenceOf(req, 'return', ['minimal', 'representation'])
  const status = response ? (response.status ?? 200) : (own.missing ?? 404)
  if (preference === 'minimal' && status !== 201) res.statusCode = 204
  else res.statusCode = response && !preference ? statusOfWrite(own, req.method, status) : status
  const isUnread = target?.kind === 'item' && isUpsertUnread(req)
  if (!response) handleMissing(context, req, res, isUnread ? target : undefined)
  const { location, position, total } = response ?? {}
  if (location !== undefined && location.length <= LONGEST_HEADER) res.setHeader('Location', location)
  if (position !== undefined) res.setHeader(POSITION_HEADER, position)
  if (total !== undefined) res.setHeader('X-Total-Count', total)
  const named = location === undefined ? [] : ['Location']
  exposeHeaders(req, res, ...named, ...(total === undefined ? [] : ['X-Total-Count']))
  if (preference) addApplied(req, res, [`return=${preference}`])
  if (response && (preference === 'minimal' || hasNoBody(res.statusCode)))
    return sendNothing(serving, response)
  const isShown = preference === 'representation' && response?.removed !== undefined
  const data = isShown ? response.removed : response ? response.data : {}
  // A shape may set a media type.
  const isPlain = renderer === render && isPlainJson(req, res)
  const reading = context.shapes
    ? shapedWrite(serving, context.shapes, data, response)
    : { data, isCurrent: () => false }
  if (!isPlain) return show(serving, reading)
  const urls = context.attachments?.urlsFor(req)
  const rendered = await renderResponse(reading, callbackOf(res, queryOf(req)), urls)
  return sendResponse(req, res, rendered, context)
}

const METHODS: Record<Target['kind'], string> = {
  list: 'GET,POST,HEAD',
  item: 'GET,PUT,PATCH,DELETE,HEAD',
  object: 'GET,POST,PUT,PATCH,HEAD',
}
const METHODS_BELOW = 'GET,HEAD,POST'

interface Writing {
  readonly context: RouterContext
  readonly target: Target
  readonly engine: Engine
}

async function write(
  { context, target, engine: whole }: Writing,
  req: Request,
  res: Response,
): Promise<WriteResponse> {
  const { method } = req
  // First: validation errors are for clients that may write.
  const action = context.access && actionOf(target, method)
  if (action) requireRight(context.access, target.name, action)
  const { name, parent } = target
  const within = parent && parentOf(context.engine, parent, name)
  if (target.above && !(await linksTo(context.engine, target)).hold) return undefined
  // Under a parent that is not a collection nothing is stored: `/health/1/products` passes guards.
  if (parent && !within) return undefined
  const { shapes, engine, attachments } = context
  const run = async () => {
    if (target.kind !== 'item') handleEmptyBody(context, req, res, target)
    if (shapes) await shapes.unwrapBody(req, engine, target.kind === 'item' ? target.id : undefined)
    const named = { context, req, name, within }
    return target.kind === 'item'
      ? ITEM_WRITES.get(method)?.({ ...named, id: target.id })
      : WRITES[target.kind].get(method)?.(named)
  }
  if (!attachments?.takes(req)) return run()
  const find = async () => {
    if (target.kind === 'list') return undefined
    const item =
      target.kind === 'item' &&
      ({ kind: 'item', collection: name, id: target.id, ...(within && { within }) } as const)
    return (await engine.read(item || { kind: 'object', name })).found
  }
  const mayCreate = target.kind === 'item' && !within && isUpsert(context, req)
  return attachments.around(req, { engine: whole, target, mayCreate, find }, run)
}

const ITEM_WRITES = new Map([
  ['PUT', update],
  ['PATCH', update],
  ['DELETE', destroy],
])

const WRITES = {
  list: new Map([
    ['POST', create],
    ['PATCH', updateMatching],
    ['DELETE', destroyMatching],
  ]),
  object: new Map(['POST', 'PUT', 'PATCH'].map((method) => [method, writeObject])),
}

function actionOf(target: Target, method: string): Action | undefined {
  if (method === 'DELETE') return 'delete'
  if (method === 'POST') return target.kind === 'object' ? 'update' : 'create'
  return method === 'PUT' || method === 'PATCH' ? 'update' : undefined
}

/** The response to a write in its shape. A deletion has none, as it has no row. */
function shapedWrite(
  { req, res }: Serving,
  shapes: Shapes,
  data: unknown,
  response: WriteResponse,
): RenderableResult {
  const reading: RenderableResult = { data, isCurrent: () => false, ...(!response && { isMissing: true }) }
  const shape = shapes.of(req)
  if (!shape || (response && data === response.data && response.removed !== undefined)) return reading
  if (!Array.isArray(data)) return shapes.result(req, res, reading)
  const list = { collection: shape.resource, window: { kind: 'all' }, total: data.length } as const
  return shapes.result(req, res, { ...reading, list })
}

async function sendNothing(
  { context, req, res }: Serving,
  { row, data }: NonNullable<WriteResponse>,
): Promise<void> {
  res.locals.data = data
  const tag = row && (await itemTag(req, row, context.shapes))
  if (tag) res.setHeader('ETag', tag)
  if (res.statusCode !== 204) res.setHeader('Content-Length', 0)
  res.end()
}
