import type { IncomingMessage, ServerResponse } from 'node:http'
import { Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type HostRequest, mountPath } from './mounted-handler.ts'

/** Serves a request of HTTP/2, as Vite has them with HTTPS: its classes are not those that Express extends. */
export async function serveHttp2(
  req: HostRequest,
  res: ServerResponse,
  serve: (request: Request, base: string) => Promise<Response>,
): Promise<void> {
  const left = new AbortController()
  res.once('close', () => left.abort())
  try {
    const response = await serve(requestOf(req, left.signal), mountPath(req))
    const cookies = response.headers.getSetCookie()
    for (const [name, value] of response.headers) res.setHeader(name, value)
    if (cookies.length > 0) res.setHeader('set-cookie', cookies)
    res.writeHead(response.status)
    if (response.body) await pipeline(Readable.fromWeb(response.body), res)
    else res.end()
  } catch {
    // The connection was lost, or a fault cut it.
    const stream: unknown = Reflect.get(res, 'stream')
    if (stream instanceof Duplex) stream.destroy()
  }
}

function requestOf(req: HostRequest, signal: AbortSignal): Request {
  const { method = 'GET', headers, url } = req
  const { ':scheme': scheme = 'https', ':authority': authority = headers.host ?? 'localhost' } = headers
  const sent = Object.entries(headers).filter(([name]) => !name.startsWith(':'))
  const init = {
    method,
    signal,
    headers: sent.map(([name, value]) => [name, String(value)] as [string, string]),
  }
  const body =
    method === 'GET' || method === 'HEAD'
      ? {}
      : { body: Readable.toWeb(req as IncomingMessage), duplex: 'half' }
  return new Request(`${scheme}://${authority}${req.originalUrl ?? url}`, { ...init, ...body } as RequestInit)
}
