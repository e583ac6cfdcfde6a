import type { Request, Response } from 'express'
import { endpoints, OPEN } from '../core/kernel/catalogue/endpoint.ts'
import type { ServiceInfo } from '../core/kernel/catalogue/service-info.ts'
import { prefersPlain } from '../core/kernel/http/headers.ts'
import { sendJson } from '../core/kernel/http/send-json.ts'
import { SERVER_PATHS } from '../core/kernel/http/server-paths.ts'
import { absoluteUrl, type HandlersOf, sendNotFound } from './serve-endpoints.ts'

export interface Described {
  /** @param isPlain in the names that are stored */
  schema(isPlain: boolean): Promise<Buffer>
  schemaOf(resource: string, isPlain: boolean): Promise<Buffer | undefined>
  openApi(origin: string): Promise<Buffer>
}

export const SCHEMA_ENDPOINTS = endpoints(
  { gives: OPEN },
  {
    getSchema: [`GET ${SERVER_PATHS.schema}`, 'JSON Schema of the data'],
    getSchemaOf: [`GET ${SERVER_PATHS.schemaOf}`, 'JSON Schema of one resource', { mayBeMissing: true }],
    getOpenApi: [`GET ${SERVER_PATHS.openApi}`, 'This document'],
    getOpenApiJson: [`GET ${SERVER_PATHS.openApiJson}`, 'This document'],
  },
)

/** @param open is called for the first request: describing takes code that few starts need. */
export function schema(open: () => Promise<Described>): HandlersOf<typeof SCHEMA_ENDPOINTS> {
  let opened: Promise<Described> | undefined
  const described = () => (opened ??= open())
  const getOpenApi = async (req: Request, res: Response) => {
    send(res, await (await described()).openApi(absoluteUrl(req, req.baseUrl)))
  }
  return {
    getSchema: async (req, res) => send(res, await (await described()).schema(prefersPlain(req))),
    async getSchemaOf(req, res) {
      const written = await (await described()).schemaOf(String(req.params.resource), prefersPlain(req))
      if (written) send(res, written)
      else sendNotFound(res)
    },
    getOpenApi,
    getOpenApiJson: getOpenApi,
  }
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

export const SERVICE_ENDPOINTS = endpoints(
  {},
  { getService: [`GET ${SERVER_PATHS.service}`, 'The running server', { gives: OPEN }] },
)

/** `GET /__service`: a description of the running server, for the page at `/` and other tools. */
export function service(
  describe: (req: Request) => Promise<ServiceInfo>,
): HandlersOf<typeof SERVICE_ENDPOINTS> {
  return { getService: async (req, res) => sendJson(res, 200, await describe(req)) }
}
