import type { Request } from 'express'
import { originOf } from '../http/origin.ts'
import { parseQueryString } from './query/query-string.ts'

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
 * The URLs of this list by page number. Everything else of the query stays as it was written, but for what would end
 * the `<…>` that a Link header puts it in.
 */
export function pageUrls(req: Request): (page: number) => string {
  const sent = withoutPage(req.originalUrl)
  const { path, before, after } = sent.isPaged ? sent : withoutPage(`${req.baseUrl}${req.url}`)
  const url = `${base(req)}${path}`
  return (page) => {
    const query = [...before, `_page=${page}`, ...after].join('&')
    return `${url}?${query}`.replace(/[<>"]/g, encodeURIComponent)
  }
}

/** The parts of a query around the one that names the page, however that is spelled; at its end where none does. */
function withoutPage(url: string): { path: string; before: string[]; after: string[]; isPaged: boolean } {
  const query = queryText(url)
  const parts = query === '' ? [] : query.split('&')
  const first = parts.findIndex(isPage)
  const others = (list: string[]) => list.filter((part) => !isPage(part))
  const place = first < 0 ? parts.length : first
  const [before, after] = [others(parts.slice(0, place)), others(parts.slice(place))]
  return { path: pathOf(url), before, after, isPaged: first >= 0 }
}

/** Where we are reached, or else what we know of ourselves: these links are followed by clients that resolve nothing. */
function base(req: Request): string {
  return originOf(req) ?? `${req.protocol}://localhost:${req.socket.localPort ?? 80}`
}

/** Half a character, which JSON can spell and a URL cannot, becomes the sign for what cannot be shown. */
function encode(segment: string): string {
  return encodeURIComponent(segment.replace(/\p{Surrogate}/gu, '\uFFFD'))
}

/** Whether the query parser would read this part as `_page`: it may be `%5Fpage`, `_page[]`, `[_page]` and more. */
function isPage(part: string): boolean {
  const [name = ''] = part.split('=', 1)
  if (name === '_page') return true
  return UNUSUAL.test(name) && Object.hasOwn(parseQueryString(`${name}=1`), '_page')
}

const UNUSUAL = /[%[]/

/** The path alone: a request line may carry a whole URL, as proxies send it. */
function pathOf(url: string): string {
  const question = url.indexOf('?')
  return (question < 0 ? url : url.slice(0, question)).replace(/^https?:\/\/[^/]*/i, '')
}

function queryText(url: string): string {
  const question = url.indexOf('?')
  return question < 0 ? '' : url.slice(question + 1)
}
