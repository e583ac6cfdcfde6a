import { Router } from 'express'
import { sendJson } from '../http/send-json.ts'

export interface HealthCheckOptions {
  /** Uptime in seconds. */
  uptime: () => number
  /** Whether the data has a resource of that name: a user's `health-check` takes precedence. */
  has: (name: string) => boolean
}

/** Answers `GET /health-check` with `{ status: "ok", uptime, timestamp }`. */
export function healthCheck({ uptime, has }: HealthCheckOptions): Router {
  const router = Router()

  router.get('/health-check', function healthCheck(_req, res, next) {
    if (has('health-check')) return next()
    sendJson(res, 200, { status: 'ok', uptime: uptime(), timestamp: new Date().toISOString() })
  })

  return router
}
