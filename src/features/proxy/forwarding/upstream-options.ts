import { randomBytes } from 'node:crypto'
import { ConfigError } from '../../../core/kernel/catalogue/error-classes.ts'
import { isOwnOrigin } from '../../../core/layers/origin-checks.ts'
import type { Config } from '../../settings.ts'
import { PROXY_DEFAULTS } from '../settings.ts'
import type { UpstreamOptions } from './forward.ts'
import type { Credentials } from './request-headers.ts'

/** Names this server to those behind it, so that a loop is found. */
const VIA = `1.1 restable-${randomBytes(6).toString('hex')}`

/** How the API of a config is asked; undefined if it has none. */
export function upstreamOptions({ proxy, middlewares, layers }: Config): UpstreamOptions | undefined {
  if (proxy === undefined) return undefined
  const { target, headers = {}, timeoutMs = PROXY_DEFAULTS.timeoutMs, secure = true } = proxy
  if (target === undefined)
    throw new ConfigError('"proxy.target" is missing. Name the API: --proxy https://api.example.com/v2')
  const filled = Object.entries(headers).map(([name, text]) => [name, withVariables(name, text)] as const)
  return {
    target: new URL(target),
    headers: Object.fromEntries(filled),
    credentials: credentialsOf(middlewares, layers.accounts?.cookies === true),
    ...{ timeoutMs, secure, isOwnOrigin, via: VIA },
  }
}

function withVariables(header: string, text: string): string {
  return text.replace(/\$([A-Za-z_]\w*)/g, (_, name: string) => {
    const value = process.env[name]
    if (value !== undefined) return value
    throw new ConfigError(
      `"proxy.headers": ${header} needs the environment variable ${name}. Set it, or remove the header.`,
    )
  })
}

function credentialsOf(middlewares: readonly string[], hasCookies: boolean): Credentials {
  const hasTokens = ['bearer', 'jwt', 'accounts'].some((name) => middlewares.includes(name))
  return {
    headers: new Set([
      ...(hasTokens ? ['authorization'] : []),
      ...(middlewares.includes('api-key') ? ['x-api-key'] : []),
    ]),
    cookies: new Set(['mock_session', ...(hasCookies ? ['access_token', 'refresh_token'] : [])]),
  }
}
