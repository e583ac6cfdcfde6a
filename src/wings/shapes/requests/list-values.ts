import type { Request } from 'express'
import { frame } from '../../../core/engine/query/page.ts'
import type { PageNumbers } from '../../../core/engine/types.ts'
import { pageLinks, plainUrl } from '../../../core/router/links.ts'
import { writeCursor } from '../../../core/router/query/cursors.ts'
import { isGiven } from '../../../core/router/query/parameter-values.ts'
import type { ListHead } from '../../../core/router/read.ts'
import type { ShapeTemplate } from '../shape-template.ts'
import type { WordValues } from '../template.ts'
import { parameterFor, type RequestShape } from './request-shape.ts'

interface Listed extends Pick<ListHead, 'total' | 'window' | 'envelope' | 'cursor'> {
  readonly resource: string
  /** How many rows are shown. */
  readonly count: number
}

/** The values of a list's template. Links are made only for templates that have any. */
export function listValues(
  req: Request,
  { resource, count, ...list }: Listed,
  request: RequestShape,
  parts: Pick<WordValues, 'rows' | 'included'>,
): WordValues {
  const { query, shape } = request
  const { from = 1 } = shape.template.pages ?? {}
  const { total, window, cursor } = list
  const { start, size, isFromEnd } = positionOf(list)
  const current = size > 0 ? Math.floor(start / size) + 1 : 1
  const pages = size > 0 ? Math.ceil(total / size) : 0
  const numbers: PageNumbers = {
    first: 1,
    last: Math.max(pages, 1),
    next:
      !isFromEnd && window.kind !== 'cursor' && size > 0 && start + size < total ? current + 1 : undefined,
    prev: start > 0 ? Math.max(current - 1, 1) : undefined,
  }
  const shown = (number: number | undefined) => (number === undefined ? null : number - 1 + from)
  const nextCursor = window.kind === 'cursor' && cursor ? writeCursor(window.question, cursor) : null
  return {
    ...parts,
    resource,
    total,
    size,
    count,
    start,
    nextCursor,
    hasMore: nextCursor !== null || numbers.next !== undefined,
    page: shown(current),
    pages,
    from: count > 0 ? start + 1 : null,
    to: count > 0 ? start + count : null,
    firstPage: shown(numbers.first),
    lastPage: shown(numbers.last),
    nextPage: shown(numbers.next),
    prevPage: shown(numbers.prev),
    ...(shape.hasLinks && { ...NO_LINKS, ...linksFor(shape.template), path: plainUrl(req) }),
  }

  function linksFor({ params = {} }: ShapeTemplate): Record<string, string> {
    if (isFromEnd) return {}
    const cursorParameter = { name: request.sent.get('_cursor') ?? '_cursor', from: 1 }
    if (window.kind === 'cursor')
      return nextCursor === null ? {} : pageLinks(req, { next: nextCursor }, cursorParameter)
    if (['page', 'envelope', 'all'].includes(window.kind))
      return pageLinks(req, numbers, request.pageParameter)
    // Where the client names the last row, one parameter does not lead on.
    if (isGiven(query._end) || isGiven(query.range)) return {}
    return pageLinks(req, startsOf(start, size, total), parameterFor('_start', params.start, 1, request))
  }
}

const NO_LINKS = { first: null, last: null, next: null, prev: null }

function startsOf(start: number, size: number, total: number): PageNumbers {
  const odd = size > 0 ? start % size : 0
  const last = size > 0 ? odd + Math.max(Math.ceil((total - odd) / size) - 1, 0) * size : 0
  return {
    first: 0,
    last,
    next: size > 0 && start + size < total ? start + size : undefined,
    prev: start > 0 ? Math.max(start - size, 0) : undefined,
  }
}

interface Position {
  readonly start: number
  readonly size: number
  /** Whether a negative limit leaves out the last rows, so that nothing follows. */
  readonly isFromEnd?: boolean
}

function positionOf({ window, total, envelope }: Omit<Listed, 'resource' | 'count'>): Position {
  const { start, end } = frame(total, window)
  const shown = { start, size: end - start }
  switch (window.kind) {
    case 'page':
    case 'envelope': {
      if (window.size < 0) return { ...shown, isFromEnd: true }
      // Past the end, an envelope has the last page.
      const page = envelope ? (envelope.next ?? envelope.last + 1) - 1 : window.page
      return { start: (page - 1) * window.size, size: window.size }
    }
    case 'cursor':
      return { start, size: window.size }
    case 'limit':
      return window.count < 0 ? { ...shown, isFromEnd: true } : { start, size: window.count }
    case 'slice': {
      const { start: from, end: to = total } = window
      return from < 0 || to < 0
        ? { ...shown, isFromEnd: to < 0 }
        : { start: from, size: Math.max(to - from, 0) }
    }
    case 'all':
      return shown
  }
}
