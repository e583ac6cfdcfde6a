import type { Request } from 'express'
import type { ShapeTemplate } from '../../shape/shape-template.ts'
import type { Values } from '../../shape/template.ts'
import type { Window } from '../../storage/types.ts'
import { pageLinks, plainUrl } from '../links.ts'
import { parseWindow } from '../query/parameter-values.ts'
import type { Query } from '../query/query-string.ts'
import type { ListHead } from '../read.ts'
import type { Translation } from './translate-query.ts'

interface Listed extends Pick<ListHead, 'total' | 'envelope'> {
  readonly resource: string
  /** How many rows are shown. */
  readonly count: number
}

/** What the words of a list's template stand for, but for the rows. Links are made when they are asked for. */
export function listValues(
  req: Request,
  { resource, total, envelope, count }: Listed,
  { query, sent }: Translation,
  { params = {}, pages: { from = 1 } = {} }: ShapeTemplate,
): Values {
  const window = windowOf(query, envelope)
  const { start, size } = positionOf(window, total)
  const pages = size > 0 ? Math.ceil(total / size) : 0
  const page = size > 0 ? Math.floor(start / size) : 0
  const next = start + size < total ? page + 1 : null
  const prev = start > 0 ? Math.max(page - 1, 0) : null
  const last = Math.max(pages - 1, 0)
  const isPage = window.kind === 'page' || window.kind === 'all'
  const [ours, theirs] = isPage ? ['_page', params.page] : ['_start', params.start]
  let made: Record<string, string> | undefined
  const link = (rel: 'first' | 'last' | 'next' | 'prev') => {
    const at = (number: number | null) => (number === null ? undefined : isPage ? number + 1 : number * size)
    const name = sent.get(ours) ?? theirs ?? ours
    const numbers = { first: at(0), last: at(last), next: at(next), prev: at(prev) }
    made ??= pageLinks(req, numbers, { name, from: isPage ? from : 1 })
    return made[rel] ?? null
  }
  const numbered = (number: number | null) => (number === null ? null : number + from)
  return {
    resource,
    total,
    page: page + from,
    pages,
    size,
    start,
    from: count > 0 ? start + 1 : null,
    to: count > 0 ? start + count : null,
    firstPage: from,
    lastPage: last + from,
    nextPage: numbered(next),
    prevPage: numbered(prev),
    get first() {
      return link('first')
    },
    get last() {
      return link('last')
    },
    get next() {
      return link('next')
    },
    get prev() {
      return link('prev')
    },
    get path() {
      return plainUrl(req)
    },
  }
}

/** Past the end, an envelope has the last page. */
function windowOf(query: Query, envelope: ListHead['envelope']): Window {
  if (!envelope) return parseWindow(query)
  const window = parseWindow({ _page: '1', _limit: query._per_page })
  return { ...window, ...(window.kind === 'page' && { page: (envelope.next ?? envelope.last + 1) - 1 }) }
}

function positionOf(window: Window, total: number): { readonly start: number; readonly size: number } {
  switch (window.kind) {
    case 'page':
    case 'envelope':
      return { start: (window.page - 1) * window.size, size: window.size }
    case 'limit':
      return { start: 0, size: Math.max(window.count, 0) }
    case 'slice': {
      const { start, end = total } = window
      return { start: Math.max(start, 0), size: Math.max(end - start, 0) }
    }
    case 'all':
      return { start: 0, size: total }
  }
}
