import type { Request } from 'express'
import type { PageNumbers } from '../engine/types.ts'
import { mounts } from '../kernel/http/request-context.ts'
import { PLAIN_HOST, schemeOf } from '../kernel/http/request-url.ts'
import { urlSegment } from '../kernel/json/url-segment.ts'
import { parseQueryString } from './query/query-string.ts'

/** The URL of a resource under the prefix that the client used: of a rewrite rule, or of the mount path. */
export function urlOf(req: Request, ...segments: readonly string[]): string {
  return `${rootOf(req)}${sentPathOf(req, ...segments)}`
}

export function sentPathOf(req: Request, ...segments: readonly string[]): string {
  const path = pathOf(req.url).replace(/\/$/, '')
  const sent = pathOf(req.originalUrl).replace(/\/$/, '')
  const prefix = sent.endsWith(path) ? sent.slice(0, sent.length - path.length) : req.baseUrl
  return `${prefix}/${segments.map(urlSegment).join('/')}`
}

/** Links to other pages: the query as sent, but for characters that would end a Link header's `<…>`. */
export function pageLinks(
  req: Request,
  page: LinkedPages,
  { name, from }: PageParameter = PAGE,
): Record<string, string> {
  const sent = without(name, req.originalUrl)
  const rewritten = sent.isGiven ? sent : without(name, `${req.baseUrl}${req.url}`)
  const { path, before, after } = rewritten.isGiven ? rewritten : sent
  const head = `${rootOf(req)}${path}?${before}${name}=`.replace(/[<>"]/g, encodeURIComponent)
  const tail = after.replace(/[<>"]/g, encodeURIComponent)
  const links: Record<string, string> = {}
  for (const rel of ['first', 'prev', 'next', 'last'] as const) {
    const number = page[rel]
    if (number === undefined) continue
    links[rel] = `${head}${typeof number === 'string' ? number : number - 1 + from}${tail}`
  }
  return links
}

/** Numbers of other pages, or what leads to them. */
type LinkedPages = { readonly [Rel in keyof PageNumbers]?: number | string | undefined }

export interface PageParameter {
  readonly name: string
  /** The number of the first page. */
  readonly from: number
}

const PAGE: PageParameter = { name: '_page', from: 1 }

/** The URL of the request, without its query. */
export function plainUrl(req: Request): string {
  return `${rootOf(req)}${pathOf(req.originalUrl)}`
}

function without(
  name: string,
  url: string,
): { path: string; before: string; after: string; isGiven: boolean } {
  const question = url.indexOf('?')
  const query = question < 0 ? '' : url.slice(question + 1)
  let [before, after, isGiven] = ['', '', false]
  for (const part of query === '' ? [] : query.split('&')) {
    const equals = part.indexOf('=')
    const own = equals < 0 ? part : part.slice(0, equals)
    if (own === name || (UNUSUAL.test(own) && isNamed(own, name))) isGiven = true
    else if (isGiven) after += `&${part}`
    else before += `${part}&`
  }
  return {
    path: url.slice(0, question < 0 ? undefined : question).replace(ORIGIN, ''),
    before,
    after,
    isGiven,
  }
}

/** Links are absolute: clients of Link headers do not resolve relative URLs. */
export function rootOf(req: Request): string {
  const { host = '' } = req.headers
  const named = PLAIN_HOST.test(host) ? host : `localhost:${req.socket.localPort ?? 80}`
  return `${schemeOf(req)}://${named}${mounts.get(req)?.path ?? ''}`
}

/** Whether the query parser reads this part as that parameter: `_page` may be `%5Fpage`, `_page[]`, `[_page]` and more. */
function isNamed(own: string, name: string): boolean {
  // `page[number]` is itself written in brackets, or encoded.
  if (name.includes('[')) return own.replace(/%5B/gi, '[').replace(/%5D/gi, ']') === name
  return Object.hasOwn(parseQueryString(`${own}=1`), name)
}

const UNUSUAL = /[%[]/

/** Proxies may send an absolute URL. */
const ORIGIN = /^https?:\/\/[^/]*/i

function pathOf(url: string): string {
  return url.replace(/\?.*$/s, '').replace(ORIGIN, '')
}
