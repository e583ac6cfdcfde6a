import { type Request, type RequestHandler, type Response, Router } from 'express'
import { sendError, sendJson } from '../http/send-json.ts'
import { ownUrl } from './_own-url.ts'

interface SessionInfo {
  readonly name: string
  readonly createdAt: string
  /** Milliseconds since its last request. */
  readonly idleMs: number
  /** The memory that its own rows take, estimated. */
  readonly bytes: number
}

export interface SessionsOptions {
  /** Most recently used first. */
  list(): readonly SessionInfo[]
  /** False if there is none of that name. */
  end(name: string): boolean
  /** Puts its data back to what it was a copy of, if it is open; false if there can be none of that name. */
  reset(name: string): Promise<boolean>
  readonly guard: RequestHandler
}

/** `GET /__sessions`, `DELETE /__sessions/<name>` and `POST /__sessions/<name>/reset`. */
export function sessions({ list, end, reset, guard }: SessionsOptions): Router {
  const router = Router()

  router.get('/__sessions', ownUrl, (_req, res) => sendJson(res, 200, list()))

  router.delete('/__sessions/:name', ownUrl, guard, (req: Request, res: Response) => {
    if (end(String(req.params.name))) sendJson(res, 200, {})
    else refuseUnknown(res)
  })

  router.post('/__sessions/:name/reset', ownUrl, guard, async (req: Request, res: Response) => {
    if (await reset(String(req.params.name))) sendJson(res, 200, {})
    else refuseUnknown(res)
  })

  return router
}

function refuseUnknown(res: Response): void {
  sendError(res, 'SESSION_NOT_FOUND', 'There is no session of that name: GET /__sessions lists them')
}
