/** `http://host/posts?a=1`: the host and port, then the path and the query. */
const ABSOLUTE = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)(.*)$/is

const hosts = new WeakMap<object, string>()

/** A request line may name the whole URL (RFC 9112, 3.2.2). Leaves path and query, so that all judge it alike. */
export function dropOrigin(req: { url?: string | undefined }): void {
  const [, host, path = ''] = ABSOLUTE.exec(req.url ?? '') ?? []
  if (host === undefined) return
  hosts.set(req, host)
  req.url = path.startsWith('/') ? path : `/${path}`
}

/** The host and port in the request line, if it names the whole URL. */
export function hostInTarget(req: { readonly originalUrl: string }): string | undefined {
  // In an app that is not ours, the URL is as it was sent.
  return hosts.get(req) ?? ABSOLUTE.exec(req.originalUrl)?.[1]
}
