import type { Response } from 'express'
import { type ErrorCode, errorBody, statusOf } from '../catalogue/errors.ts'
import { jsonToSend, shapedError } from './error-shape.ts'

/** Sends JSON like the router: two spaces, ETag. Independent of the app's 'json spaces' setting. */
export function sendJson(res: Response, status: number, body: unknown): void {
  if (!res.hasHeader('Content-Type')) res.type('json')
  res.status(status).send(jsonToSend(res, JSON.stringify(body, null, 2)))
}

export function sendError(res: Response, code: ErrorCode, message: string): void {
  const status = statusOf(code)
  sendJson(res, status, shapedError(res, status, errorBody(code, message)))
}
