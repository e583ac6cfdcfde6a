import type { Request, Response } from 'express'
import type { ErrorBody } from '../errors.ts'

/** Answers with JSON as the router does: two spaces, ETag, not kept by caches. Also in an app that never heard of 'json spaces'. */
export function sendJson(res: Response, status: number, body: unknown): void {
  res
    .status(status)
    .type('json')
    .send(JSON.stringify(body, null, 2))
}

/** Answers with an error that says what to do. */
export function sendError(res: Response, status: number, body: ErrorBody): void {
  sendJson(res, status, body)
}

/** The 404 that json-server clients rely on. */
export function sendNotFound(res: Response): void {
  sendJson(res, 404, {})
}

/** The URL that a client can follow to `path`; relative where the Host header is missing or no host name. */
export function absoluteUrl(req: Request, path: string): string {
  const origin = `${req.protocol}://${req.get('host') ?? ''}`
  return URL.canParse(origin) ? `${new URL(origin).origin}${path}` : path
}
