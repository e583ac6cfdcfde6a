import type { Response } from 'express'
import { ERRORS, type ErrorCode } from '../error-catalogue.ts'
import type { ErrorBody } from '../errors.ts'
import { sendJson } from './send-json.ts'

export function statusOf(code: ErrorCode): number {
  return ERRORS[code][0]
}

export function errorBody(code: ErrorCode, message: string, more: Partial<ErrorBody> = {}): ErrorBody {
  return { error: ERRORS[code][1], message, code, ...more }
}

/** Responds with an error, under the status and the title that it has in the catalogue. */
export function sendError(res: Response, code: ErrorCode, message: string): void {
  sendJson(res, statusOf(code), errorBody(code, message))
}
