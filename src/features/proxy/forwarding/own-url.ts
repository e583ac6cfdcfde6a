/**
 * A URL of the API as one of this server's; undefined for one that is not below the target.
 * @param here origin and mount of this server
 */
export function ownUrl(url: string, target: URL, here: string): string | undefined {
  const base = target.pathname.replace(/\/$/, '')
  const isPath = url.startsWith('/') && !url.startsWith('//')
  const origin = [target.origin, `//${target.host}`].find((start) => url.startsWith(start))
  if (!isPath && origin === undefined) return undefined
  const rest = url.slice(isPath ? 0 : origin?.length)
  const isBelow = rest.startsWith(base) && /^(?:[/?#]|$)/.test(rest.slice(base.length))
  return isBelow ? `${here}${rest.slice(base.length)}` : undefined
}
