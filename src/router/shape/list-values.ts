import type { Request } from 'express'
import type { Values } from '../../shape/template.ts'
import type { PageNumbers, Window } from '../../storage/types.ts'
import { type PageParameter, pageLinks, plainUrl } from '../links.ts'
import { readDialect } from '../query/dialects.ts'
import { isGiven, parseWindow } from '../query/parameter-values.ts'
import type { Query } from '../query/query-string.ts'
import type { ListHead } from '../read.ts'
import { parameterFor, type RequestShape } from './request-shape.ts'

interface Listed extends Pick<ListHead, 'total' | 'envelope'> {
  readonly resource: string
  /** How many rows are shown. */
  readonly count: number
}

/** What the words of a list's template stand for. Links are made when they are asked for. */
export class ListValues implements Values {
  readonly rows: unknown
  readonly included: unknown
  readonly resource: string
  readonly total: number
  readonly size: number
  readonly count: number
  readonly start: number
  readonly page: number
  readonly pages: number
  readonly from: number | null
  readonly to: number | null
  readonly firstPage: number
  readonly lastPage: number
  readonly nextPage: number | null
  readonly prevPage: number | null
  readonly #req: Request
  readonly #parameter: PageParameter
  readonly #isPage: boolean
  /** Where the client names the last row, one parameter does not lead on. */
  readonly #isLinked: boolean
  #links: Record<string, string> | undefined

  constructor(
    req: Request,
    { resource, total, envelope, count }: Listed,
    request: RequestShape,
    { rows, included }: Pick<Values, 'rows' | 'included'>,
  ) {
    const { query, shape } = request
    const { params = {}, pages: { from = 1 } = {} } = shape.template
    const window = windowOf(query, envelope)
    const { start, size } = positionOf(window, total)
    const page = from + (size > 0 ? Math.floor(start / size) : 0)
    const pages = size > 0 ? Math.ceil(total / size) : 0
    this.rows = rows
    this.included = included
    this.resource = resource
    this.total = total
    this.size = size
    this.count = count
    this.start = start
    this.page = page
    this.pages = pages
    this.from = count > 0 ? start + 1 : null
    this.to = count > 0 ? start + count : null
    this.firstPage = from
    this.lastPage = from + Math.max(pages - 1, 0)
    this.nextPage = size > 0 && start + size < total ? page + 1 : null
    this.prevPage = start > 0 ? Math.max(page - 1, from) : null
    this.#req = req
    const isPage = window.kind === 'page' || window.kind === 'all'
    this.#parameter = isPage
      ? parameterFor('_page', params.page, from, request)
      : parameterFor('_start', params.start, 1, request)
    this.#isPage = isPage
    this.#isLinked = isPage || !(isGiven(query._end) || isGiven(query.range))
  }

  get first(): unknown {
    return this.#link('first')
  }

  get last(): unknown {
    return this.#link('last')
  }

  get next(): unknown {
    return this.#link('next')
  }

  get prev(): unknown {
    return this.#link('prev')
  }

  get path(): string {
    return plainUrl(this.#req)
  }

  #link(rel: 'first' | 'last' | 'next' | 'prev'): string | null {
    if (!this.#isLinked) return null
    const numbers = () => (this.#isPage ? this.#pageNumbers() : this.#starts())
    this.#links ??= pageLinks(this.#req, numbers(), this.#parameter)
    return this.#links[rel] ?? null
  }

  #pageNumbers(): PageNumbers {
    const { firstPage, lastPage, nextPage, prevPage } = this
    const at = (page: number | null) => (page === null ? undefined : page - firstPage + 1)
    return { first: at(firstPage), last: at(lastPage), next: at(nextPage), prev: at(prevPage) }
  }

  #starts(): PageNumbers {
    const { start, size, total } = this
    const odd = size > 0 ? start % size : 0
    const last = size > 0 ? odd + Math.max(Math.ceil((total - odd) / size) - 1, 0) * size : 0
    return {
      first: 0,
      last,
      next: size > 0 && start + size < total ? start + size : undefined,
      prev: start > 0 ? Math.max(start - size, 0) : undefined,
    }
  }
}

/** Past the end, an envelope has the last page. */
function windowOf(query: Query, envelope: ListHead['envelope']): Window {
  if (!envelope) return readDialect(query)?.range ?? parseWindow(query)
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
