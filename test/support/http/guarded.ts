import { createRequire } from 'node:module'
import express, { type Express, type RequestHandler } from 'express'

const require = createRequire(import.meta.url)

/** json-server's Express 4, which many apps still use. */
const express4: typeof express = createRequire(require.resolve('json-server/package.json'))('express')

export const expressVersions = [
  ['Express 5', express],
  ['Express 4', express4],
] as const

export interface Guarded {
  readonly app: Express
  /** What came through to the handler behind the layers: method, URL and user of each request. */
  readonly reached: Array<{ method: string; url: string; user: unknown }>
}

/** An app with only these layers and a handler that records whether it was reached. */
export function guarded(layers: readonly RequestHandler[], make: typeof express = express): Guarded {
  const reached: Guarded['reached'] = []
  const app = make()
  for (const layer of layers) app.use(layer)
  app.use((req, res) => {
    reached.push({ method: req.method, url: req.originalUrl, user: Reflect.get(req, 'user') })
    res.json({ behind: true })
  })
  return { app, reached }
}
