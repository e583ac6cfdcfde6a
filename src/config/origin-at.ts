import { isIPv6 } from 'node:net'

/** The URL that people type. All addresses include localhost, and not every browser can open `0.0.0.0`. */
export function originAt(host: string, port: number, isHttps: boolean): string {
  const isAny = host === '0.0.0.0' || host === '::'
  const name = isAny ? 'localhost' : isIPv6(host) ? `[${host}]` : host
  return `${isHttps ? 'https' : 'http'}://${name}:${port}`
}
