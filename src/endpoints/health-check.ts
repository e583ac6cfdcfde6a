import type { Router } from 'express'
import { endpoints, objectOf, TIME } from '../catalogue/endpoint.ts'
import { type ClockOf, REAL_TIME } from '../http/clock-of.ts'
import { sendJson } from '../http/send-json.ts'
import { serveEndpoints } from './_serve.ts'

export interface HealthCheckOptions {
  /** Uptime in seconds. */
  uptime: () => number
  /** Whether the data has a resource of that name: a user's `health-check` takes precedence. */
  has: (name: string) => boolean
  /** Rejects if the data cannot be reached: a load balancer then asks another server. */
  check?: (() => Promise<void>) | undefined
  clockOf?: ClockOf
}

const HEALTH = objectOf({ status: { const: 'ok' }, uptime: { type: 'number' }, timestamp: TIME })

export const HEALTH_ENDPOINTS = endpoints(
  { givesWay: true },
  { getHealth: ['GET /health-check', 'Whether the server is up', { gives: HEALTH }] },
)

/** Answers `GET /health-check` with `{ status: "ok", uptime, timestamp }`. */
export function healthCheck({ uptime, has, check, clockOf = REAL_TIME }: HealthCheckOptions): Router {
  return serveEndpoints(HEALTH_ENDPOINTS, {
    async getHealth(req, res, next) {
      if (has('health-check')) return next()
      await check?.()
      sendJson(res, 200, { status: 'ok', uptime: uptime(), timestamp: clockOf(req).iso() })
    },
  })
}
