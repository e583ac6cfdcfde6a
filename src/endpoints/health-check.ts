import type { Router } from 'express'
import { endpoints, objectOf, TIME } from '../catalogue/endpoint.ts'
import { type ClockOf, REAL_TIME } from '../http/request-context.ts'
import { sendJson } from '../http/send-json.ts'
import { serveEndpoints } from './serve-endpoints.ts'

export interface HealthCheckOptions {
  uptime: () => number
  /** Whether the data has a resource of that name: a user's `health-check` takes precedence. */
  has: (name: string) => boolean
  /** Rejects if the data cannot be reached, so that a load balancer uses another server. */
  check?: (() => Promise<void>) | undefined
  clockOf?: ClockOf
}

const HEALTH = objectOf({ status: { const: 'ok' }, uptime: { type: 'number' }, timestamp: TIME })

export const HEALTH_ENDPOINTS = endpoints(
  { givesWay: true },
  { getHealth: ['GET /health-check', 'Whether the server is up', { gives: HEALTH }] },
)

export function healthCheck({ uptime, has, check, clockOf = REAL_TIME }: HealthCheckOptions): Router {
  return serveEndpoints(HEALTH_ENDPOINTS, {
    async getHealth(req, res, next) {
      if (has('health-check')) return next()
      await check?.()
      sendJson(res, 200, { status: 'ok', uptime: uptime(), timestamp: clockOf(req).iso() })
    },
  })
}
