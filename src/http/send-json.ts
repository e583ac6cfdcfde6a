import type { Response } from 'express'

/** Sends JSON like the router: two spaces, ETag. Independent of the app's 'json spaces' setting. */
export function sendJson(res: Response, status: number, body: unknown): void {
  res
    .status(status)
    .type('json')
    .send(JSON.stringify(body, null, 2))
}
