import { Router } from 'express'
import { sendJson } from '../send-json.ts'

export interface HealthCheckOptions {
  /**
   * Seconds that the service has been up.
   * @default counted from when the endpoint was made
   */
  uptime?: () => number
  /**
   * Milliseconds since 1970.
   * @default Date.now
   */
  clock?: () => number
  /** Whether the data has a resource of that name: a user's own `health-check` is served instead. */
  has?: (name: string) => boolean
}

/** Answers `GET /health-check` with `{ status: "ok", uptime, timestamp }`. */
export function healthCheck(options: HealthCheckOptions = {}): Router {
  const { uptime = stopwatch(), clock = Date.now, has = () => false } = options
  const router = Router()

  router.get('/health-check', function healthCheck(_req, res, next) {
    if (has('health-check')) return next()
    sendJson(res, 200, { status: 'ok', uptime: uptime(), timestamp: new Date(clock()).toISOString() })
  })

  return router
}

/** Seconds since now, to the millisecond; a wall clock that is set back does not matter. */
function stopwatch(): () => number {
  const start = performance.now()
  return () => Math.round(performance.now() - start) / 1000
}
