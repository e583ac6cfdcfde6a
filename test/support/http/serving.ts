import { once } from 'node:events'
import { createServer, type RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Serves an app, or takes over a listening server, until the test ends; resolves with its URL. */
export async function serving(app: RequestListener | Server): Promise<string> {
  const server = app instanceof Server ? app : createServer(app).listen(0, '127.0.0.1')
  onTestFinished(async () => {
    server.closeAllConnections()
    if (server.listening) await once(server.close(), 'close')
  })
  if (!server.listening) await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

/** A request with a JSON body. */
export function json(method: string, body: unknown): RequestInit {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
