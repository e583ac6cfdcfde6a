import type { Request } from 'express'
import { mounts } from '../http/request-context.ts'
import { originOf, schemeOf } from '../http/request-url.ts'
import { urlSegment } from '../json/url-segment.ts'
import type { PageNumbers } from '../storage/types.ts'
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
export function pageLinks(req: Request, page: PageNumbers): Record<string, string> {
  const sent = withoutPage(req.originalUrl)
  const { path, before, after } = sent.isPaged ? sent : withoutPage(`${req.baseUrl}${req.url}`)
  const url = `${rootOf(req)}${path}`
  const links: Record<string, string> = {}
  for (const rel of ['first', 'prev', 'next', 'last'] as const) {
    if (page[rel] === undefined) continue
    const query = [...before, `_page=${page[rel]}`, ...after].join('&')
    links[rel] = `${url}?${query}`.replace(/[<>"]/g, encodeURIComponent)
  }
  return links
}

function withoutPage(url: string): { path: string; before: string[]; after: string[]; isPaged: boolean } {
  const question = url.indexOf('?')
  const query = question < 0 ? '' : url.slice(question + 1)
  const [before, after]: [string[], string[]] = [[], []]
  let isPaged = false
  for (const part of query === '' ? [] : query.split('&')) {
    if (UNUSUAL.test(part) ? isPage(part) : /^_page(?:=|$)/.test(part)) isPaged = true
    else (isPaged ? after : before).push(part)
  }
  return {
    path: url.slice(0, question < 0 ? undefined : question).replace(ORIGIN, ''),
    before,
    after,
    isPaged,
  }
}

/** Links are absolute: clients of Link headers do not resolve relative URLs. */
function rootOf(req: Request): string {
  const origin = originOf(req) ?? `${schemeOf(req)}://localhost:${req.socket.localPort ?? 80}`
  return `${origin}${mounts.get(req)?.path ?? ''}`
}

/** Whether the query parser reads this part as `_page`: it may be `%5Fpage`, `_page[]`, `[_page]` and more. */
function isPage(part: string): boolean {
  const [name = ''] = part.split('=', 1)
  return name === '_page' || (UNUSUAL.test(name) && Object.hasOwn(parseQueryString(`${name}=1`), '_page'))
}

const UNUSUAL = /[%[]/

/** Proxies may send an absolute URL. */
const ORIGIN = /^https?:\/\/[^/]*/i

function pathOf(url: string): string {
  return url.replace(/\?.*$/s, '').replace(ORIGIN, '')
}
