import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frame, pageNumbers } from '../../../../src/core/engine/query/page.ts'
import type { PageNumbers, Row, Window } from '../../../../src/core/engine/types.ts'

type Selection = ReturnType<typeof cut>

const ROWS: readonly Row[] = Array.from({ length: 25 }, (_, id) => ({ id }))

function cut(rows: readonly Row[], window: Window) {
  const { start, end, head } = frame(rows.length, window)
  return { items: rows.slice(start, end), ...head }
}

function ids({ items }: Selection): unknown[] {
  return items.map(({ id }) => id)
}

describe('pageNumbers', () => {
  it.each<[number, number, number, PageNumbers]>([
    [25, 1, 10, { first: 1, next: 2, last: 3 }],
    [25, 2, 10, { first: 1, prev: 1, next: 3, last: 3 }],
    [25, 3, 10, { first: 1, prev: 2, last: 3 }],
    [25, 4, 10, {}],
    [25, 1, 25, {}],
    [25, 1, 100, {}],
    [20, 2, 10, { first: 1, prev: 1, last: 2 }],
    [0, 1, 10, {}],
    [25, 1, -1, { first: 1, next: 2, last: -25 }],
    [25, 1e21, 10, {}],
  ])('of %i rows at page %i of %i', (total, current, size, numbers) => {
    expect(pageNumbers(total, current, size)).toEqual(numbers)
  })
})

describe('frame', () => {
  it.each<[Window, unknown[], Partial<Selection>]>([
    [{ kind: 'page', page: 3, size: 10 }, [20, 21, 22, 23, 24], { page: { first: 1, prev: 2, last: 3 } }],
    [{ kind: 'page', page: 9, size: 10 }, [], { page: {} }],
    [{ kind: 'limit', count: 2 }, [0, 1], {}],
    [{ kind: 'limit', count: 0 }, [], {}],
    [{ kind: 'slice', start: 23 }, [23, 24], { range: { start: 23, end: 25 } }],
    [{ kind: 'slice', start: 1, end: 3 }, [1, 2], { range: { start: 1, end: 3 } }],
    [{ kind: 'slice', start: 24, end: 90 }, [24], { range: { start: 24, end: 25 } }],
    [{ kind: 'slice', start: -2 }, [23, 24], { range: { start: 23, end: 25 } }],
    [{ kind: 'slice', start: 9, end: 3 }, [], { range: { start: 9, end: 9 } }],
    [{ kind: 'slice', start: 90, end: 95 }, [], { range: { start: 25, end: 25 } }],
  ])('%j', (window, expected, rest) => {
    const selection = cut(ROWS, window)
    expect(ids(selection)).toEqual(expected)
    expect(selection).toEqual({ items: selection.items, total: 25, ...rest })
  })

  it('takes all rows', () => {
    expect(cut(ROWS, { kind: 'all' }).items).toEqual(ROWS)
  })

  it('slices like an array, and says what it took', () => {
    const place = fc.integer({ min: -40, max: 40 })
    fc.assert(
      fc.property(place, fc.option(place, { nil: undefined }), (start, end) => {
        const { items, range } = cut(ROWS, { kind: 'slice', start, ...(end === undefined ? {} : { end }) })
        expect(items).toEqual(ROWS.slice(start, end))
        expect(range && ROWS.slice(range.start, range.end)).toEqual(items)
      }),
    )
  })
})
