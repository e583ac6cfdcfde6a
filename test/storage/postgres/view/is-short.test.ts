import { describe, expect, it } from 'vitest'
import { Shape } from '../../../../src/storage/postgres/layout/shape.ts'
import { isShort } from '../../../../src/storage/postgres/view/is-short.ts'
import type { ListQuery, Where, Window } from '../../../../src/storage/types.ts'

const ROWS = 1_000_000
const KIND = { rid: 1, name: 'items', kind: 'collection', version: 1, nextPos: 0, value: undefined } as const
const resource = (isDense: boolean) => ({ ...KIND, rows: ROWS, isDense, shape: Shape.empty() })

const EQUAL: Where = { path: 'a', op: 'eq', values: ['1'] }
const RANGE: Where = { path: 'a', op: 'gt', values: ['1'] }
const OTHER: Where = { path: 'a', op: 'ne', values: ['1'] }
const page = (nth: number): Window => ({ kind: 'page', page: nth, size: 10 })
const [FIRST, MIDDLE, LAST] = [page(1), page(50_000), page(100_000)]

interface Case {
  readonly where?: readonly Where[]
  readonly window?: Window
  readonly isDense?: boolean
  readonly areIndexed?: boolean
  readonly total?: number
}

describe('a question about a million rows', () => {
  it.each<[string, Case, boolean]>([
    ['the first page', { total: ROWS }, true],
    ['the last page', { total: ROWS, window: LAST }, true],
    ['a page in the middle', { total: ROWS, window: MIDDLE }, false],
    ['a page in the middle, by its position', { total: ROWS, window: MIDDLE, isDense: true }, true],
    ['all of them', { total: ROWS, window: { kind: 'all' } }, false],
    ['a value', { where: [EQUAL] }, true],
    ['a value without an index', { where: [EQUAL], areIndexed: false }, false],
    ['the last of those with a value, before they were counted', { where: [EQUAL], window: LAST }, false],
    ['a range, before it was counted', { where: [RANGE] }, false],
    ['the first of a range that was counted', { where: [RANGE], total: 900_000 }, true],
    ['the last of a range that was counted', { where: [RANGE], total: 900_000, window: page(90_000) }, true],
    ['the middle of it', { where: [RANGE], total: 900_000, window: page(45_000) }, false],
    ['what no index finds', { where: [OTHER], total: 900_000 }, false],
  ])('takes a moment, or does not: %s', (_, asked, expected) => {
    const { where = [], window = FIRST, isDense = false, areIndexed = true, total } = asked
    const query: ListQuery = { where, sort: [], window, embed: [], expand: [] }
    expect(isShort(query, resource(isDense), { areIndexed, total })).toBe(expected)
  })
})
