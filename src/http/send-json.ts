import type { Response } from 'express'
import { type ErrorBody, type ErrorCode, errorBody, statusOf } from '../catalogue/errors.ts'

/** Sends JSON like the router: two spaces, ETag. Independent of the app's 'json spaces' setting. */
export function sendJson(res: Response, status: number, body: unknown): void {
  if (!res.hasHeader('Content-Type')) res.type('json')
  res.status(status).send(jsonToSend(res, JSON.stringify(body, null, 2)))
}

export function sendError(res: Response, code: ErrorCode, message: string): void {
  const status = statusOf(code)
  sendJson(res, status, shapedError(res, status, errorBody(code, message)))
}

/** How errors look: the body, and its media type. */
export interface ErrorShape {
  fill(status: number, body: ErrorBody): unknown
  readonly type?: string | undefined
}

/** Called for each error that is sent. */
type FindErrorShape = () => ErrorShape | undefined

const shapes = new WeakMap<Response, FindErrorShape | undefined>()
const originals = new WeakMap<Response, ErrorBody>()
const typed = new WeakSet<Response>()
let hasShapes = false

/** Sets how errors of this response look, whichever handler sends them; undefined: as they are. */
export function shapeErrors(res: Response, find: FindErrorShape | undefined): void {
  hasShapes = true
  shapes.set(res, find)
}

/** The body to send for an error. Costs one comparison until the first response has a shape. */
export function shapedError(res: Response, status: number, body: ErrorBody): unknown {
  const shape = hasShapes ? shapes.get(res)?.() : undefined
  if (!shape) return body
  originals.set(res, body)
  if (shape.type !== undefined && !res.headersSent) {
    res.setHeader('Content-Type', shape.type)
    typed.add(res)
  }
  return shape.fill(status, body)
}

/** JSON to send. To a string, Express adds a charset, which a media type of a shape may not have: JSON:API's. */
export function jsonToSend(res: Response, text: string): string | Buffer {
  return hasTypeOfShape(res) ? Buffer.from(text) : text
}

export function hasTypeOfShape(res: Response): boolean {
  return hasShapes && typed.has(res)
}

/** The error that was sent, before it was shaped. */
export function originalError(res: Response): ErrorBody | undefined {
  return hasShapes ? originals.get(res) : undefined
}
