import type { Request } from 'express'
import { endpoints, OPEN } from '../../core/kernel/catalogue/endpoint.ts'
import { sendJson } from '../../core/kernel/http/send-json.ts'
import { SERVER_PATHS } from '../../core/kernel/http/server-paths.ts'
import { endpointFeature } from '../endpoint-feature.ts'
import { describeService } from './describe-service.ts'

/** `GET /__service`: a description of the running server, for the page at `/` and other tools. */
export const serviceFeature = endpointFeature({
  name: 'service',
  endpoints: endpoints(
    {},
    { getService: [`GET ${SERVER_PATHS.service}`, 'The running server', { gives: OPEN }] },
  ),
  handlers: (served) => ({
    async getService(req: Request, res) {
      sendJson(res, 200, await describeService(served, served.accessOf?.(req).isAdmin ?? true))
    },
  }),
})
