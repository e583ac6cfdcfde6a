/**
 * The URL to ask the API for: the client's path and query, appended as text; undefined for a path that could lead out of
 * the target.
 */
export function forwardedPath(url: string, { pathname }: URL): string | undefined {
  const [path = ''] = url.split(/[?#]/, 1)
  if (!path.startsWith('/') || path.startsWith('//')) return undefined
  const parts = path
    .replace(/%2f|\\|%5c/gi, '/')
    .replace(/%2e/gi, '.')
    .split('/')
  // Some servers read `..;x` as `..`.
  const isPlain = parts.every((part) => !/^\.{1,2}(?:;|$)/.test(part))
  return isPlain ? `${pathname.replace(/\/$/, '')}${url}` : undefined
}
