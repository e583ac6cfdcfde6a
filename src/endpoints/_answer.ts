import type { Request, Response } from 'express'
import { originOf } from '../http/origin.ts'
import { sendJson } from '../http/send-json.ts'

/** The 404 that json-server clients rely on. */
export function sendNotFound(res: Response): void {
  sendJson(res, 404, {})
}

/** The absolute URL of `path`; relative if we cannot tell how the client reached us. */
export function absoluteUrl(req: Request, path: string): string {
  return `${originOf(req) ?? ''}${path}`
}
