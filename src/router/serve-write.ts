import type { Request, Response } from 'express'
import { addApplied, preferenceOf } from '../http/headers.ts'
import type { Within } from '../storage/question.ts'
import { requireRight } from '../storage/rules/check-access.ts'
import type { Action } from '../storage/rules/rights.ts'
import type { RouterContext, WriteResponse } from './context.ts'
import { destroyMatching, updateMatching } from './filtered-writes.ts'
import { itemTag, precondition } from './precondition.ts'
import { handleMissing } from './query/handle-ignored.ts'
import { queryOf } from './query/query-string.ts'
import type { Reading } from './read.ts'
import { create, destroy, POSITION_HEADER, update, writeObject } from './resource-writes.ts'
import { exposeHeaders } from './respond.ts'
import { renderResponse } from './response/render-response.ts'
import { sendResponse } from './response/send-response.ts'
import { shapeOf } from './shape/request-shape.ts'
import { shapeReading } from './shape/shape-reading.ts'
import { unwrapBody } from './shape/unwrap-body.ts'
import { callbackOf, isPlainJson, type Render, render, show } from './show.ts'
import { findTarget, parentOf, type Target } from './target.ts'
import { isUpsert, isUpsertUnread } from './upsert.ts'

export async function serveWrite(
  context: RouterContext,
  renderer: Render,
  req: Request,
  res: Response,
): Promise<void> {
  const target = findTarget(context.engine, req.path)
  if (target && req.method === 'OPTIONS') {
    const allowed = target.parent && target.kind !== 'item' ? METHODS_BELOW : METHODS[target.kind]
    res.set('Allow', allowed).send(allowed)
    return
  }
  if (context.shapes) await unwrapBody(req, context)
  const { causeOf, sealOf } = context
  const caused = causeOf || sealOf ? { ...context, cause: causeOf?.(req), seal: sealOf?.(req) } : context
  const response = target && (await write(caused, target, req))
  res.statusCode = response ? (response.status ?? 200) : 404
  if (!response) handleMissing(context, req, isUpsertUnread(req) ? target : undefined)
  setWriteHeaders(req, res, response)
  const preference = response && preferenceOf(req, 'return', ['minimal', 'representation'])
  if (preference) addApplied(req, res, [`return=${preference}`])
  if (response && preference === 'minimal') return sendNothing(req, res, response)
  const isShown = preference === 'representation' && response?.removed !== undefined
  const data = isShown ? response.removed : response ? response.data : {}
  // A shape may set a media type.
  const isPlain = renderer === render && isPlainJson(req, res)
  const reading = context.shapes ? shapedWrite(req, res, data, response) : { data, isCurrent: () => false }
  if (!isPlain) return show(context, renderer, req, res, reading)
  res.locals.data = reading.data
  const rendered = await renderResponse(reading, callbackOf(res, queryOf(req)))
  return sendResponse(req, res, rendered, context)
}

const METHODS: Record<Target['kind'], string> = {
  list: 'GET,POST,HEAD',
  item: 'GET,PUT,PATCH,DELETE,HEAD',
  object: 'GET,POST,PUT,PATCH,HEAD',
}
const METHODS_BELOW = 'GET,HEAD,POST'

async function write(context: RouterContext, target: Target, req: Request): Promise<WriteResponse> {
  const { method } = req
  const action = actionOf(target, method)
  // First: validation errors are for clients that may write.
  if (action && context.access) requireRight(context.access, target.name, action)
  const { name, parent } = target
  const within = parent && parentOf(context.engine, parent)
  // Under a parent that is not a collection nothing is stored: `/health/1/products` passes guards.
  if (parent && !within) return undefined
  if (target.kind === 'list') return writeMany(context, req, name, within)
  if (target.kind === 'item') return writeItem(context, req, target, within)
  if (method !== 'POST' && (within || !isUpdate(req))) return undefined
  const options = within ? {} : await precondition(context, req, { kind: 'object', name })
  return writeObject(context, req, name, options, within)
}

function actionOf(target: Target, method: string): Action | undefined {
  if (method === 'DELETE') return 'delete'
  if (method === 'POST') return target.kind === 'object' ? 'update' : 'create'
  return method === 'PUT' || method === 'PATCH' ? 'update' : undefined
}

async function writeItem(
  context: RouterContext,
  req: Request,
  { name, id }: { readonly name: string; readonly id: string },
  within?: Within,
): Promise<WriteResponse> {
  if (req.method !== 'DELETE' && !isUpdate(req)) return undefined
  const question = { kind: 'item', collection: name, id, ...(within && { within }) } as const
  const options = await precondition(context, req, question, !within && isUpsert(context, req))
  const writeIt = req.method === 'DELETE' ? destroy : update
  return writeIt(context, req, name, id, within ? { ...options, within } : options)
}

async function writeMany(
  context: RouterContext,
  req: Request,
  name: string,
  parent?: Within,
): Promise<WriteResponse> {
  if (req.method === 'POST') return create(context, req, name, parent)
  if (req.method === 'PATCH') return updateMatching(context, req, name, parent)
  return req.method === 'DELETE' ? destroyMatching(context, req, name, parent) : undefined
}

function isUpdate(req: Request): boolean {
  return req.method === 'PUT' || req.method === 'PATCH'
}

/** What was deleted has no shape: there is no row. */
function shapedWrite(req: Request, res: Response, data: unknown, response: WriteResponse): Reading {
  const reading: Reading = { data, isCurrent: () => false, ...(!response && { isMissing: true }) }
  const shape = shapeOf(req)
  if (!shape || (response && data === response.data && response.removed !== undefined)) return reading
  if (!Array.isArray(data)) return shapeReading(req, res, reading)
  const list = { collection: shape.resource, window: 'all', total: data.length } as const
  return shapeReading(req, res, { ...reading, list })
}

function setWriteHeaders(req: Request, res: Response, response: WriteResponse): void {
  const { location, position, total } = response ?? {}
  if (location !== undefined) res.setHeader('Location', location)
  if (position !== undefined) res.setHeader(POSITION_HEADER, position)
  if (total !== undefined) res.setHeader('X-Total-Count', total)
  const named = [
    ...(location === undefined ? [] : ['Location']),
    ...(total === undefined ? [] : ['X-Total-Count']),
  ]
  exposeHeaders(req, res, ...named)
}

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
