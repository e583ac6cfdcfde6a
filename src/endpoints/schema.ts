import { type Request, type Response, Router } from 'express'
import { originOf } from '../http/origin.ts'
import { sendNotFound } from './_answer.ts'
import { ownUrl } from './_own-url.ts'

export interface Described {
  schema(): Promise<Buffer>
  /** JSON Schema of one resource; undefined if there is none of that name. */
  schemaOf(resource: string): Promise<Buffer | undefined>
  openApi(origin: string): Promise<Buffer>
}

/** The API describes itself. Not through a rewrite rule: one that makes some paths public must not open these. */
export function schema(described: Described): Router {
  const router = Router()

  router.get('/__schema', ownUrl, async (_req, res) => send(res, await described.schema()))

  router.get('/__schema/:resource', ownUrl, async (req: Request, res: Response) => {
    const written = await described.schemaOf(String(req.params.resource))
    if (written) send(res, written)
    else sendNotFound(res)
  })

  router.get(['/__openapi', '/__openapi.json'], ownUrl, async (req: Request, res: Response) => {
    send(res, await described.openApi(`${originOf(req) ?? ''}${req.baseUrl}`))
  })

  return router
}

function send(res: Response, body: Buffer): void {
  const hash: unknown = res.app.get('etag fn')
  const etag = etags.get(body) ?? (typeof hash === 'function' ? String(hash(body)) : undefined)
  if (etag !== undefined) {
    etags.set(body, etag)
    res.setHeader('ETag', etag)
  }
  res.status(200).type('json').send(body)
}

/** Concurrent requests share a document of some megabytes: it is hashed once. */
const etags = new WeakMap<Buffer, string>()
