import type { Response } from 'express'
import { type ErrorBody, type ErrorCode, errorBody, statusOf } from '../catalogue/errors.ts'

/** Sends JSON like the router: two spaces, ETag. Independent of the app's 'json spaces' setting. */
export function sendJson(res: Response, status: number, body: unknown): void {
  if (!res.hasHeader('Content-Type')) res.type('json')
  res.status(status).send(jsonToSend(res, JSON.stringify(body, null, 2)))
}

export function sendError(res: Response, code: ErrorCode, message: string): void {
  const status = ownStatus(res, statusOf(code), code)
  sendJson(res, status, shapedError(res, status, errorBody(code, message)))
}

/** How errors look: the status, the body, and its media type. */
export interface ErrorShape {
  status(ours: number, code: string): number
  fill(status: number, body: ErrorBody): unknown
  readonly type?: string | undefined
}

/** How errors of a response look, whichever handler sends them. Called for each. */
export const errorShapes = new WeakMap<Response, () => ErrorShape | undefined>()

/** The error that was sent, before it was shaped. */
export const originalErrors = new WeakMap<Response, ErrorBody>()

/** Responses with the media type of a shape. */
export const typedByShape = new WeakSet<Response>()

/** The status to send for an error, which may not be ours. */
export function ownStatus(res: Response, ours: number, code: string): number {
  return errorShapes.get(res)?.()?.status(ours, code) ?? ours
}

/** The body to send for an error. */
export function shapedError(res: Response, status: number, body: ErrorBody): unknown {
  const shape = errorShapes.get(res)?.()
  if (!shape) return body
  originalErrors.set(res, body)
  if (shape.type !== undefined && !res.headersSent) {
    res.setHeader('Content-Type', shape.type)
    typedByShape.add(res)
  }
  return shape.fill(status, body)
}

/** JSON to send. To a string, Express adds a charset, which a media type of a shape may not have: JSON:API's. */
export function jsonToSend(res: Response, text: string): string | Buffer {
  return typedByShape.has(res) ? Buffer.from(text) : text
}
