import type { Request, Response, Router } from 'express'
import { endpoints, OPEN } from '../catalogue/endpoint.ts'
import { originOf } from '../http/origin.ts'
import { sendNotFound } from './_answer.ts'
import { serveEndpoints } from './_serve.ts'

export interface Described {
  schema(): Promise<Buffer>
  /** JSON Schema of one resource; undefined if there is none of that name. */
  schemaOf(resource: string): Promise<Buffer | undefined>
  openApi(origin: string): Promise<Buffer>
}

export const SCHEMA_ENDPOINTS = endpoints(
  { gives: OPEN },
  {
    getSchema: ['GET /__schema', 'JSON Schema of the data'],
    getSchemaOf: ['GET /__schema/{resource}', 'JSON Schema of one resource', { mayBeMissing: true }],
    getOpenApi: ['GET /__openapi', 'This document'],
    getOpenApiJson: ['GET /__openapi.json', 'This document'],
  },
)

/** The API describes itself. Not through a rewrite rule: one that makes some paths public must not open these. */
export function schema(described: Described): Router {
  const getOpenApi = async (req: Request, res: Response) => {
    send(res, await described.openApi(`${originOf(req) ?? ''}${req.baseUrl}`))
  }
  return serveEndpoints(SCHEMA_ENDPOINTS, {
    getSchema: async (_req, res) => send(res, await described.schema()),
    async getSchemaOf(req, res) {
      const written = await described.schemaOf(String(req.params.resource))
      if (written) send(res, written)
      else sendNotFound(res)
    },
    getOpenApi,
    getOpenApiJson: getOpenApi,
  })
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
