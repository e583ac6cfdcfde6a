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

/** A host name, with or without port; anything else in a Host header is an attempt to write into ours. */
const PLAIN_HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** The URL that a client can follow to `path`; relative where the Host header is missing or no host name. */
export function absoluteUrl(req: Request, path: string): string {
  const host = req.get('host') ?? ''
  return PLAIN_HOST.test(host) ? `${req.protocol}://${host}${path}` : path
}
