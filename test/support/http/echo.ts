import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express, { type RequestHandler } from 'express'
import { onTestFinished } from 'vitest'

/** What the handler behind the layers saw of a request. */
interface Seen {
  readonly method: string
  readonly url: string
  readonly originalUrl: string
  readonly query: unknown
  readonly body: unknown
}

export interface Echo {
  readonly port: number
  readonly seen: readonly Seen[]
}

/** Listens with these layers and a handler that reports what reached it; closed after the test. */
export async function echo(layers: readonly unknown[], make: typeof express = express): Promise<Echo> {
  const seen: Seen[] = []
  const app = make()
  const handlers = layers.filter((layer): layer is RequestHandler => typeof layer === 'function')
  for (const handler of handlers) app.use(handler)
  app.use((req, res) => {
    const { method, url, originalUrl, query, body } = req
    seen.push({ method, url, originalUrl, query, body })
    res.json({ url, query, body })
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, seen }
}
