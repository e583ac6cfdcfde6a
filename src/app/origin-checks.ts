import type { RequestHandler } from 'express'
import { allowedHosts, allowedOrigins, foreignOrigin } from '../layers/origin-checks.ts'
import type { Config } from './config/config.ts'

export interface OriginSettings {
  /**
   * Host names this server responds to, besides localhost and IP addresses: `app.test`, or `.example.com` for that
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
 * The guards that refuse pages of other origins; none without a setting. Either setting also refuses other hosts:
 * after DNS rebinding, a page has the same origin as the server, so its requests carry no `Origin`.
 */
export function originChecks(
  settings: OriginSettings,
  logs: readonly RequestHandler[],
): readonly RequestHandler[] {
  const { allowedHosts: hosts, allowedOrigins: origins } = settings
  if (hosts === undefined && origins === undefined) return []
  return [allowedHosts(hosts ?? [], { logs }), ...(origins ? [allowedOrigins(origins, { logs })] : [])]
}

/** Refuses pages of other sites, where requests change the server itself or act as a user. */
export function pageGuard(config: Config): RequestHandler {
  return foreignOrigin(config.trustedOrigins, hostsOf(config))
}

export function hostsOf({ allowedHosts: hosts = [], host }: Config): readonly string[] {
  return [...hosts, host]
}
