import type { Response } from 'express'

/** Answers with JSON as the router does: two spaces, ETag. Also in an app that never heard of 'json spaces'. */
export function sendJson(res: Response, status: number, body: unknown): void {
  res
    .status(status)
    .type('json')
    .send(JSON.stringify(body, null, 2))
}
