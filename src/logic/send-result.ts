import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response as ExpressResponse, Request } from 'express'
import { sendJson } from '../http/send-json.ts'

/** Sends what a handler returned: a value, `[status, body]`, a `Response`, or nothing. */
export async function sendResult(req: Request, res: ExpressResponse, result: unknown): Promise<void> {
  if (res.headersSent) return
  if (result instanceof Response) return sendResponse(res, result)
  const [status, body] = isPair(result) ? result : [undefined, result]
  if (body !== undefined) return sendJson(res, status ?? 200, body)
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  if (status === undefined && isRead) return sendJson(res, 404, {})
  res.status(status ?? 204).end()
}

/** `[200]` may be a list of one number; `[204, undefined]` says what it is. */
function isPair(result: unknown): result is readonly [number, unknown] {
  if (!Array.isArray(result) || result.length !== 2) return false
  const [status] = result
  return Number.isInteger(status) && status >= 200 && status < 600
}

/** A response of `fetch` has a body that is decoded already. Cookies are set one by one. */
const LEFT_OUT: ReadonlySet<string> = new Set(['set-cookie', 'content-encoding', 'content-length'])

async function sendResponse(res: ExpressResponse, response: Response): Promise<void> {
  res.status(response.status)
  for (const [name, value] of response.headers) if (!LEFT_OUT.has(name)) res.setHeader(name, value)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) res.setHeader('Set-Cookie', cookies)
  const { body } = response
  if (!body) return void res.end()
  await pipeline(Readable.fromWeb(body), res).catch((error: NodeJS.ErrnoException) => {
    // The client disconnected.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}
