import type { RequestHandler } from 'express'
import { allowedHosts } from '../layers/doors/allowed-hosts.ts'
import { allowedOrigins } from '../layers/doors/allowed-origins.ts'

export interface DoorSettings {
  /**
   * Names by which this server may be reached, beside localhost and addresses: `app.test`, or `.example.com` for that
   * name and all below it. Requests to others get 403.
   */
  allowedHosts?: readonly string[]
  /**
   * Origins whose pages may use this server, beside its own: `http://localhost:5173`, `https://*.example.com`,
   * `http://localhost:*`. Those of others get 403.
   */
  allowedOrigins?: readonly string[]
}

/**
 * What keeps pages out that are not listed; nothing where neither setting is there. Each of them closes the door to
 * other hosts: a page that came by DNS rebinding is of the same origin as what it asks for, and sends none.
 */
export function doors(settings: DoorSettings, logs: readonly RequestHandler[]): readonly RequestHandler[] {
  const { allowedHosts: hosts, allowedOrigins: origins } = settings
  if (hosts === undefined && origins === undefined) return []
  return [allowedHosts(hosts ?? [], { logs }), ...(origins ? [allowedOrigins(origins, { logs })] : [])]
}
