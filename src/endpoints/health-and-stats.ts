import { countItems } from '../core/engine/read-rows.ts'
import type { Data } from '../core/engine/types.ts'
import { endpoints, objectOf, TIME } from '../core/kernel/catalogue/endpoint.ts'
import { sendJson } from '../core/kernel/http/send-json.ts'
import type { Clock } from '../core/kernel/util/clock.ts'
import type { HandlersOf } from './serve-endpoints.ts'

export interface HealthCheckOptions {
  uptime: () => number
  /** Rejects if the data cannot be reached, so that a load balancer uses another server. */
  check?: (() => Promise<void>) | undefined
  clock: Clock
}

const HEALTH = objectOf({ status: { const: 'ok' }, uptime: { type: 'number' }, timestamp: TIME })

export const HEALTH_ENDPOINTS = endpoints(
  { givesWay: true },
  { getHealth: ['GET /health-check', 'Whether the server is up', { gives: HEALTH }] },
)

export function healthCheck(options: HealthCheckOptions): HandlersOf<typeof HEALTH_ENDPOINTS> {
  const { uptime, check, clock } = options
  return {
    async getHealth(_req, res) {
      await check?.()
      sendJson(res, 200, { status: 'ok', uptime: uptime(), timestamp: clock.iso() })
    },
  }
}

const STATS = {
  type: 'object',
  properties: { totalRevenue: { type: 'number' } },
  additionalProperties: { type: 'number' },
}

export const STATS_ENDPOINTS = endpoints(
  { givesWay: true },
  { getStats: ['GET /stats', 'Number of items per collection, and total revenue', { gives: STATS }] },
)

export function stats(state: () => Data | Promise<Data>): HandlersOf<typeof STATS_ENDPOINTS> {
  return {
    async getStats(_req, res) {
      const data = await state()
      const revenue = totalRevenue(data)
      sendJson(res, 200, { ...countItems(data), ...(revenue !== undefined && { totalRevenue: revenue }) })
    },
  }
}

/** Undefined if no collection has revenues. */
function totalRevenue(data: Data): number | undefined {
  let hasAny = false
  let sum = 0
  // Neumaier summation, so that a hundred thousand rows add up to the cent.
  let lost = 0
  for (const revenue of revenues(data)) {
    hasAny = true
    const next = sum + revenue
    lost += Math.abs(sum) >= Math.abs(revenue) ? sum - next + revenue : revenue - next + sum
    sum = next
  }
  return hasAny ? Number((sum + lost).toFixed(2)) : undefined
}

function* revenues(data: Data): Generator<number> {
  for (const rows of Object.values(data)) {
    if (!Array.isArray(rows)) continue
    for (const row of rows) {
      const revenue: unknown = row?.revenue
      if (typeof revenue === 'number' && Number.isFinite(revenue)) yield revenue
    }
  }
}
