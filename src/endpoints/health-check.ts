import { Router } from 'express'
import { type ClockOf, REAL_TIME } from '../http/clock-of.ts'
import { sendJson } from '../http/send-json.ts'

export interface HealthCheckOptions {
  /** Uptime in seconds. */
  uptime: () => number
  /** Whether the data has a resource of that name: a user's `health-check` takes precedence. */
  has: (name: string) => boolean
  /** Rejects if the data cannot be reached: a load balancer then asks another server. */
  check?: (() => Promise<void>) | undefined
  clockOf?: ClockOf
}

/** Answers `GET /health-check` with `{ status: "ok", uptime, timestamp }`. */
export function healthCheck({ uptime, has, check, clockOf = REAL_TIME }: HealthCheckOptions): Router {
  const router = Router()

  router.get('/health-check', async function healthCheck(req, res, next) {
    if (has('health-check')) return next()
    await check?.()
    sendJson(res, 200, { status: 'ok', uptime: uptime(), timestamp: clockOf(req).iso() })
  })

  return router
}
