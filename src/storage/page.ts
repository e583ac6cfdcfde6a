import type { PageNumbers, Row, Selection, Window } from './types.ts'

/** Cuts the wanted part out of a whole result. */
export function cut(rows: readonly Row[], window: Window): Selection {
  const total = rows.length
  switch (window.kind) {
    case 'all':
      return { items: rows, total }
    case 'limit':
      return { items: rows.slice(0, window.count), total }
    case 'slice': {
      const range = toRange(total, window.start, window.end)
      return { items: rows.slice(range.start, range.end), total, range }
    }
    case 'page': {
      const { page, size } = window
      const items = rows.slice((page - 1) * size, page * size)
      return { items, total, page: pageNumbers(total, page, size) }
    }
  }
}

/** Page numbers as 0.17.4 counts them: none past the end, no first and last when one page holds everything. */
export function pageNumbers(total: number, current: number, size: number): PageNumbers {
  const { start, end } = toRange(total, (current - 1) * size, current * size)
  const shown = end - start
  if (shown === 0) return {}
  return {
    ...(shown < total ? { first: 1, last: Math.ceil(total / size) } : {}),
    ...(current > 1 ? { prev: current - 1 } : {}),
    ...(current * size < total ? { next: current + 1 } : {}),
  }
}

/** Start and end (exclusive) as Array.prototype.slice understands them: from the end where negative. */
function toRange(total: number, from: number, to = total): { start: number; end: number } {
  const start = toIndex(total, from)
  return { start, end: Math.max(start, toIndex(total, to)) }
}

function toIndex(total: number, place: number): number {
  return place < 0 ? Math.max(total + place, 0) : Math.min(place, total)
}
