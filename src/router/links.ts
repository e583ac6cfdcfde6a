import type { Request } from 'express'
import { originOf } from '../origin.ts'

/**
 * The URL of a resource under the prefix that the client used: behind a rewrite rule such as
 * `/api/v1/*` that is the prefix of the rule, else where the router is mounted.
 */
export function urlOf(req: Request, ...segments: readonly string[]): string {
  return `${base(req)}${sentPathOf(req, ...segments)}`
}

/** The path by which the client that sent this request would ask for something else. */
export function sentPathOf(req: Request, ...segments: readonly string[]): string {
  const path = pathOf(req.url).replace(/\/$/, '')
  const sent = pathOf(req.originalUrl).replace(/\/$/, '')
  const prefix = sent.endsWith(path) ? sent.slice(0, sent.length - path.length) : req.baseUrl
  return `${prefix}/${segments.map(encode).join('/')}`
}

/**
 * The URL of this list with another page number. Everything else of the query stays as it was written, but for
 * what would end the `<…>` that a Link header puts it in.
 */
export function pageUrl(req: Request, page: number): string {
  const url = hasPage(req.originalUrl) ? req.originalUrl : `${req.baseUrl}${req.url}`
  const query = queryText(url).split('&')
  const pages = query.map((part) => (isPage(part) ? `_page=${page}` : part))
  return `${base(req)}${pathOf(url)}?${pages.join('&')}`.replace(/[<>"]/g, encodeURIComponent)
}

/** Where we are reached, or else what we know of ourselves: these links are followed by clients that resolve nothing. */
function base(req: Request): string {
  return originOf(req) ?? `${req.protocol}://localhost:${req.socket.localPort ?? 80}`
}

/** Half a character, which JSON can spell and a URL cannot, becomes the sign for what cannot be shown. */
function encode(segment: string): string {
  return encodeURIComponent(segment.replace(/\p{Surrogate}/gu, '\uFFFD'))
}

function hasPage(url: string): boolean {
  return queryText(url).split('&').some(isPage)
}

function isPage(part: string): boolean {
  return part === '_page' || part.startsWith('_page=')
}

/** The path alone: a request line may carry a whole URL, as proxies send it. */
function pathOf(url: string): string {
  const question = url.indexOf('?')
  return (question < 0 ? url : url.slice(0, question)).replace(/^https?:\/\/[^/]*/i, '')
}

function queryText(url: string): string {
  const question = url.indexOf('?')
  return question < 0 ? '' : url.slice(question + 1)
}
