import type { RequestHandler } from 'express'
import { allowedHosts, allowedOrigins, foreignOrigin } from '../layers/origin-checks.ts'
import type { Config } from './config/config.ts'

export interface DoorSettings {
  /**
   * Host names this server answers to, besides localhost and IP addresses: `app.test`, or `.example.com` for that
   * domain and its subdomains. Requests to others get 403.
   */
  allowedHosts?: readonly string[]
  /**
   * Origins whose pages may use this server, besides its own: `http://localhost:5173`, `https://*.example.com`,
   * `http://localhost:*`. Requests from others get 403.
   */
  allowedOrigins?: readonly string[]
}

/**
 * The guards that turn away pages that are not listed; none if neither setting is given. Either setting also refuses
 * other hosts: after DNS rebinding, a page has the same origin as the server, so its requests carry no `Origin`.
 */
export function doors(settings: DoorSettings, logs: readonly RequestHandler[]): readonly RequestHandler[] {
  const { allowedHosts: hosts, allowedOrigins: origins } = settings
  if (hosts === undefined && origins === undefined) return []
  return [allowedHosts(hosts ?? [], { logs }), ...(origins ? [allowedOrigins(origins, { logs })] : [])]
}

/** Refuses foreign pages where requests change the server itself, or act as somebody. */
export function pageGuard(config: Config): RequestHandler {
  return foreignOrigin(config.trustedOrigins, hostsOf(config))
}

/** Names to reach the server by, besides localhost and IP addresses. */
export function hostsOf({ allowedHosts: hosts = [], host }: Config): readonly string[] {
  return [...hosts, host]
}
