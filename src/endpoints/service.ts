import { type Request, Router } from 'express'
import { sendJson } from '../http/send-json.ts'
import type { ServiceInfo } from '../service-info.ts'
import { ownUrl } from './_own-url.ts'

/** `GET /__service`: a description of the running server, for the page at `/` and other tools. */
export function service(describe: (req: Request) => Promise<ServiceInfo>): Router {
  const router = Router()
  router.get('/__service', ownUrl, async function service(req, res) {
    sendJson(res, 200, await describe(req))
  })
  return router
}
