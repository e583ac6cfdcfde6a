import type { Request } from 'express'

/** A host name, with or without port; anything else in a Host header is an attempt to write into ours. */
const PLAIN_HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** `http://localhost:3000`, as the client reached us. */
export function originOf(req: Request): string {
  const host = req.get('host')
  if (host && PLAIN_HOST.test(host)) return `${req.protocol}://${host}`
  return `${req.protocol}://localhost:${req.socket.localPort ?? 80}`
}

/**
 * The URL of a resource under the prefix that the client used: behind a rewrite rule such as
 * `/api/v1/*` that is the prefix of the rule, else where the router is mounted.
 */
export function urlOf(req: Request, ...segments: readonly string[]): string {
  const path = pathOf(req.url).replace(/\/$/, '')
  const sent = pathOf(req.originalUrl).replace(/\/$/, '')
  const prefix = sent.endsWith(path) ? sent.slice(0, sent.length - path.length) : req.baseUrl
  return `${originOf(req)}${prefix}/${segments.map(encode).join('/')}`
}

/**
 * The URL of this list with another page number. Everything else of the query stays as it was written, but for
 * what would end the `<…>` that a Link header puts it in.
 */
export function pageUrl(req: Request, page: number): string {
  const url = hasPage(req.originalUrl) ? req.originalUrl : `${req.baseUrl}${req.url}`
  const query = queryOf(url).split('&')
  const pages = query.map((part) => (isPage(part) ? `_page=${page}` : part))
  return `${originOf(req)}${pathOf(url)}?${pages.join('&')}`.replace(/[<>"]/g, encodeURIComponent)
}

/** Half a character, which JSON can spell and a URL cannot, becomes the sign for what cannot be shown. */
function encode(segment: string): string {
  return encodeURIComponent(segment.replace(/\p{Surrogate}/gu, '\uFFFD'))
}

function hasPage(url: string): boolean {
  return queryOf(url).split('&').some(isPage)
}

function isPage(part: string): boolean {
  return part === '_page' || part.startsWith('_page=')
}

/** The path alone: a request line may carry a whole URL, as proxies send it. */
function pathOf(url: string): string {
  const question = url.indexOf('?')
  return (question < 0 ? url : url.slice(0, question)).replace(/^https?:\/\/[^/]*/i, '')
}

function queryOf(url: string): string {
  const question = url.indexOf('?')
  return question < 0 ? '' : url.slice(question + 1)
}
