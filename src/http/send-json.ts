import type { Response } from 'express'
import { type ErrorCode, errorBody, statusOf } from '../catalogue/errors.ts'

/** Sends JSON like the router: two spaces, ETag. Independent of the app's 'json spaces' setting. */
export function sendJson(res: Response, status: number, body: unknown): void {
  res
    .status(status)
    .type('json')
    .send(JSON.stringify(body, null, 2))
}

export function sendError(res: Response, code: ErrorCode, message: string): void {
  sendJson(res, statusOf(code), errorBody(code, message))
}
