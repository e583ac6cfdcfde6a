import type { Request, Router } from 'express'
import { endpoints, OPEN } from '../catalogue/endpoint.ts'
import type { ServiceInfo } from '../catalogue/service-info.ts'
import { sendJson } from '../http/send-json.ts'
import { SERVER_PATHS } from '../http/server-paths.ts'
import { serveEndpoints } from './serve-endpoints.ts'

export const SERVICE_ENDPOINTS = endpoints(
  {},
  { getService: [`GET ${SERVER_PATHS.service}`, 'The running server', { gives: OPEN }] },
)

/** `GET /__service`: a description of the running server, for the page at `/` and other tools. */
export function service(describe: (req: Request) => Promise<ServiceInfo>): Router {
  return serveEndpoints(SERVICE_ENDPOINTS, {
    getService: async (req, res) => sendJson(res, 200, await describe(req)),
  })
}
