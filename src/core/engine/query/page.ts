import type { PageNumbers, Selection, Window } from '../types.ts'

export function frame(
  total: number,
  window: Window,
): { start: number; end: number; head: Omit<Selection, 'items' | 'window'> } {
  switch (window.kind) {
    case 'all':
      return { start: 0, end: total, head: { total } }
    case 'cursor':
      return { ...toRange(total, 0, window.size), head: { total } }
    case 'limit':
      return { ...toRange(total, 0, window.count), head: { total } }
    case 'slice': {
      const range = toRange(total, window.start, window.end)
      return { ...range, head: { total, range } }
    }
    case 'page': {
      const { page, size } = window
      const range = toRange(total, (page - 1) * size, page * size)
      return { ...range, head: { total, page: pageNumbers(total, page, size) } }
    }
    case 'envelope': {
      const { size } = window
      // Like json-server 1.0: there is always one page, and past the end comes the last one.
      const pages = Math.max(1, Math.ceil(total / size))
      const page = Math.min(window.page, pages)
      const prev = page > 1 ? page - 1 : null
      const next = page < pages ? page + 1 : null
      const envelope = { first: 1, prev, next, last: pages, pages, items: total }
      const range = toRange(total, (page - 1) * size, page * size)
      return { ...range, head: { total, page: pageNumbers(total, page, size), envelope } }
    }
  }
}

/** Page numbers as in 0.17.4: none past the end, no first and last if one page holds everything. */
export function pageNumbers(total: number, current: number, size: number): PageNumbers {
  const { start, end } = toRange(total, (current - 1) * size, current * size)
  const shown = end - start
  if (shown === 0) return {}
  const isPart = shown < total
  return {
    first: isPart ? 1 : undefined,
    last: isPart ? Math.ceil(total / size) : undefined,
    prev: current > 1 ? current - 1 : undefined,
    next: current * size < total ? current + 1 : undefined,
  }
}

/** Like Array.prototype.slice: negative positions count from the end. */
function toRange(total: number, from: number, to = total): { start: number; end: number } {
  const start = Math.min(Math.max(from < 0 ? total + from : from || 0, 0), total)
  const end = Math.min(Math.max(to < 0 ? total + to : to || 0, 0), total)
  return { start, end: Math.max(start, end) }
}
