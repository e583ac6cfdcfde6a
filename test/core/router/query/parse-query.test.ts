import { describe, expect, it } from 'vitest'
import type { Condition, SortKey, Window } from '../../../../src/core/engine/types.ts'
import {
  checkQuery,
  parseDependents,
  parseQuery,
  parseRelations,
} from '../../../../src/core/router/query/parse-query.ts'
import { parseQueryString } from '../../../../src/core/router/query/query-string.ts'

function read(text: string) {
  return parseQuery(parseQueryString(text))
}

describe('conditions', () => {
  it.each<[string, Condition[]]>([
    ['', []],
    ['a=1', [{ path: 'a', op: 'eq', values: ['1'] }]],
    ['a.b=1&a.b=2', [{ path: 'a.b', op: 'eq', values: ['1', '2'] }]],
    ['a_gte=1', [{ path: 'a', op: 'gte', values: ['1'] }]],
    ['a_lte=', [{ path: 'a', op: 'lte', values: [''] }]],
    ['a_ne=1&a_ne=2', [{ path: 'a', op: 'ne', values: ['1', '2'] }]],
    ['a_like=x', [{ path: 'a', op: 'like', values: ['x'] }]],
    ['a_gte_lte=1', [{ path: 'a_gte', op: 'lte', values: ['1'] }]],
    ['_like=x', [{ path: '', op: 'like', values: ['x'] }]],
    ['a_gtt=1', [{ path: 'a_gtt', op: 'eq', values: ['1'] }]],
    ['a_gt=1', [{ path: 'a_gt', op: 'eq', values: ['1'], orElse: { path: 'a', op: 'gt', values: ['1'] } }]],
    ['a[b]=c', [{ path: 'a', op: 'eq', values: [] }]],
    ['ids[0]=1&ids[1]=2', [{ path: 'ids', op: 'eq', values: ['1', '2'] }]],
    ['a=1&a[b]=2', [{ path: 'a', op: 'eq', values: ['1'] }]],
  ])('%j', (text, where) => {
    expect(read(text).where).toEqual(where)
  })

  it.each(['q', '_sort', '_order', '_page', '_limit', '_start', '_end', '_embed', '_expand', '_delay'])(
    '%s is no filter',
    (name) => {
      expect(read(`${name}=1`).where).toEqual([])
    },
  )

  it.each(['callback=f', '_=123'])('what JSONP and jQuery add is no filter: %s', (text) => {
    expect(read(text).where).toEqual([])
  })

  it('takes an object with indexes as keys, as qs makes of long lists, for a list', () => {
    expect(parseQuery({ id: { 0: '7', 1: '8' } }).where).toEqual([
      { path: 'id', op: 'eq', values: ['7', '8'] },
    ])
  })

  it('never trips over what another query parser may hand over', () => {
    const odd = { a: null, b: 1, c: [null, {}, ['x']], _page: {}, _sort: 3, q: [{}], _embed: [null] }
    expect(() => parseQuery(odd)).not.toThrow()
  })
})

describe('search', () => {
  it.each([
    ['q=AbC', 'abc'],
    ['q=a&q=b', 'a'],
    ['q=', undefined],
    ['q=&q=b', undefined],
    ['q[x]=1', undefined],
    ['', undefined],
  ])('%j', (text, search) => {
    expect(read(text).search).toBe(search)
  })
})

describe('sort', () => {
  it.each<[string, SortKey[]]>([
    ['_sort=', []],
    ['_order=desc', []],
    ['_sort=a', [{ path: 'a', order: 'asc' }]],
    ['_sort=a&_order=DESC', [{ path: 'a', order: 'desc' }]],
    ['_sort=a&_order=down', [{ path: 'a', order: 'asc' }]],
    [
      '_sort=a,b.c&_order=desc',
      [
        { path: 'a', order: 'desc' },
        { path: 'b.c', order: 'asc' },
      ],
    ],
    [
      '_sort=a&_sort=b&_order=asc&_order=desc',
      [
        { path: 'a', order: 'asc' },
        { path: 'b', order: 'desc' },
      ],
    ],
    [
      '_sort=a,b&_order=,desc',
      [
        { path: 'a', order: 'asc' },
        { path: 'b', order: 'desc' },
      ],
    ],
  ])('%j', (text, sort) => {
    expect(read(text).sort).toEqual(sort)
  })
})

describe('window', () => {
  it.each<[string, Window]>([
    ['', { kind: 'all' }],
    ['_page=2', { kind: 'page', page: 2, size: 10 }],
    ['_page=2&_limit=5', { kind: 'page', page: 2, size: 5 }],
    ['_page=2&_limit=0', { kind: 'page', page: 2, size: 10 }],
    ['_page=2&_limit=abc', { kind: 'page', page: 2, size: 10 }],
    ['_page=1&_limit=-1', { kind: 'page', page: 1, size: -1 }],
    ['_page=0', { kind: 'page', page: 1, size: 10 }],
    ['_page=-3', { kind: 'page', page: 1, size: 10 }],
    ['_page=abc', { kind: 'page', page: 1, size: 10 }],
    ['_page=1.9', { kind: 'page', page: 1, size: 10 }],
    ['_page=2&_page=3', { kind: 'page', page: 2, size: 10 }],
    ['_page=', { kind: 'all' }],
    ['_page=1&_start=5&_end=9', { kind: 'page', page: 1, size: 10 }],
    ['_start=5&_end=9', { kind: 'slice', start: 5, end: 9 }],
    ['_end=9', { kind: 'slice', start: 0, end: 9 }],
    ['_end=abc', { kind: 'slice', start: 0, end: 0 }],
    ['_end=-2', { kind: 'slice', start: 0, end: -2 }],
    ['_start=abc&_end=9', { kind: 'slice', start: 0, end: 9 }],
    ['_end=9&_limit=3', { kind: 'slice', start: 0, end: 9 }],
    ['_start=5&_limit=3', { kind: 'slice', start: 5, end: 8 }],
    ['_start=-5&_limit=3', { kind: 'slice', start: -5, end: -2 }],
    ['_start=5&_limit=abc', { kind: 'slice', start: 5, end: 0 }],
    ['_limit=3', { kind: 'limit', count: 3 }],
    ['_limit=0', { kind: 'limit', count: 0 }],
    ['_limit=-1', { kind: 'limit', count: -1 }],
    ['_limit=abc', { kind: 'limit', count: 0 }],
    ['_limit=', { kind: 'all' }],
    ['_start=5', { kind: 'slice', start: 5 }],
    ['_start=abc', { kind: 'slice', start: 0 }],
    ['_start=', { kind: 'all' }],
  ])('%j', (text, window) => {
    expect(read(text).window).toEqual(window)
  })
})

describe('relations', () => {
  it.each([
    ['_embed=a', ['a'], []],
    ['_embed=a,b', ['a', 'b'], []],
    ['_embed=a&_embed=b,a', ['a', 'b'], []],
    ['_embed=&_embed=,', [], []],
    ['_embed[]=a&_expand=b', ['a'], ['b']],
    ['_expand=a, b', [], ['a', 'b']],
    ['_embed[x]=a', [], []],
  ])('%j', (text, embed, expand) => {
    const query = parseQueryString(text)
    expect(parseRelations(query, undefined)).toEqual({ embed, expand })
    expect(parseQuery(query)).toMatchObject({ embed, expand })
  })

  it('reads whose dependents go with a deleted row', () => {
    expect(parseDependents(parseQueryString('_dependent=a,b&_dependent=c'))).toEqual(['a', 'b', 'c'])
    expect(parseDependents({})).toEqual([])
  })
})

const times = (count: number, part: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => part(n))

describe('a query', () => {
  it.each([
    ['patterns', 50, (count: number) => ({ name_like: times(count, (n) => `a${n}`) })],
    ['patterns over several fields', 50, (count: number) => fieldsOf(count, (n) => `f${n}_like`)],
    ['filters on nested fields', 50, (count: number) => fieldsOf(count, (n) => `a.f${n}`)],
    ['fields to sort by', 30, (count: number) => ({ _sort: times(count, (n) => `f${n}`).join(',') })],
  ])('may have so many %s: %i', (_name, most, make) => {
    expect(() => checkQuery(parseQuery(make(most)))).not.toThrow()
    expect(() => checkQuery(parseQuery(make(most + 1)))).toThrow(
      expect.objectContaining({ code: 'INVALID_QUERY', message: expect.stringContaining(String(most)) }),
    )
  })

  it.each([
    ['values', { id: times(10_000, String) }],
    ['unknown parameters', fieldsOf(10_000, (n) => `p${n}`)],
    ['one field to sort by', { _sort: times(5000, () => 'name') }],
  ])('may have any number of %s', (_name, query) => {
    expect(() => checkQuery(parseQuery(query))).not.toThrow()
  })
})

function fieldsOf(count: number, name: (n: number) => string): Record<string, string> {
  return Object.fromEntries(times(count, name).map((field) => [field, '1']))
}
