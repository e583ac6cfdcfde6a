import { describe, expect, it } from 'vitest'
import type { Condition, Ignored, ListQuery } from '../../../../src/core/engine/types.ts'
import { parseItemQuery, parseQuery } from '../../../../src/core/router/query/parse-query.ts'

const eq = (path: string, ...values: string[]): Condition => ({ path, op: 'eq', values })

function ask(query: Record<string, unknown>): ListQuery {
  return parseQuery(
    Object.fromEntries(
      Object.entries(query).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
  )
}

describe('a filter in JSON', () => {
  it.each<[unknown, ListQuery['where']]>([
    [{}, []],
    [{ name: 'a' }, [eq('name', 'a')]],
    [{ id: [1, 2] }, [eq('id', '1', '2')]],
    [{ id: [] }, [eq('id')]],
    [{ ids: [1] }, [eq('ids', '1')]],
    [{ flag: true, n: 1.5 }, [eq('flag', 'true'), eq('n', '1.5')]],
    [{ hq: { city: 'Rome' } }, [eq('hq.city', 'Rome')]],
    [{ price_gte: 5 }, [{ path: 'price', op: 'gte', values: ['5'] }]],
    [{ gone: null }, [{ path: 'gone', op: 'null', values: ['true'] }]],
    [{ gone: [null] }, [{ path: 'gone', op: 'null', values: ['true'] }]],
    [{ gone: [1, null] }, [{ or: [{ path: 'gone', op: 'null', values: ['true'] }, eq('gone', '1')] }]],
    [{ id: [1, { x: 1 }] }, [{ ...eq('id', '1'), unread: ['{"x":1}'] }]],
    [
      { name_in: ['a,b', 'c'] },
      [{ ...eq('name_in', 'a,b', 'c'), orElse: { path: 'name', op: 'in', values: ['a,b', 'c'] } }],
    ],
    [
      { name_in: 'a,b' },
      [{ ...eq('name_in', 'a,b'), orElse: { path: 'name', op: 'in', values: ['a', 'b'] } }],
    ],
    [
      { n_between: [1, 2] },
      [{ ...eq('n_between', '1', '2'), orElse: { path: 'n', op: 'between', values: ['1', '2'] } }],
    ],
    [
      { n_between: [1] },
      [
        {
          ...eq('n_between', '1'),
          orElse: { path: 'n', op: 'between', values: [], unread: ['[1]'] },
        },
      ],
    ],
  ])('%j', (filter, where) => {
    expect(ask({ filter })).toMatchObject({ where })
    expect(ask({ _filters: filter })).toMatchObject({ where })
  })

  it('may ask for a search', () => {
    expect(ask({ filter: { q: 'AbC', id: 1 } })).toMatchObject({ search: 'abc', where: [eq('id', '1')] })
    expect(ask({ filter: { q: 'a' }, q: 'b' }).search).toBe('b')
  })

  it('may not be nested deeper than anybody nests fields', () => {
    let filter: unknown = 1
    for (let level = 0; level < 3000; level++) filter = { a: filter }
    expect(() => ask({ filter })).toThrow(expect.objectContaining({ code: 'INVALID_QUERY' }))
  })
})

describe('what ra-data-simple-rest sends', () => {
  it.each<[Record<string, unknown>, Partial<ListQuery>]>([
    [{ range: [0, 24] }, { window: { kind: 'slice', start: 0, end: 25 } }],
    [{ sort: ['name', 'ASC'] }, { sort: [{ path: 'name', order: 'asc' }] }],
    [{ sort: ['a.b', 'DESC'] }, { sort: [{ path: 'a.b', order: 'desc' }] }],
    [{ embed: ['company', 'company'] }, { embed: ['company'], expand: [] }],
  ])('%j', (query, meaning) => {
    expect(ask(query)).toMatchObject({ ...meaning, where: [] })
  })

  it('puts relations into items too', () => {
    expect(parseItemQuery({ embed: '["company"]' })).toEqual({
      relations: { embed: ['company'], expand: [] },
    })
    expect(parseItemQuery({ embed: '["company"]', _expand: 'a' })).toEqual({
      relations: { embed: [], expand: ['a'] },
    })
  })

  it.each<[string, unknown]>([
    ['sort', 'name'],
    ['sort', '["name"]'],
    ['sort', '["name","UP"]'],
    ['sort', '{"name":"ASC"}'],
    ['range', '5'],
    ['range', '[0]'],
    ['range', '[0,1.5]'],
    ['range', '[-1,5]'],
    ['filter', 'x'],
    ['filter', '[1]'],
    ['filter', '{"a":'],
    ['_filters', '1'],
    ['embed', 'company'],
    ['embed', '[1]'],
  ])('%s=%s is a filter like any other', (name, value) => {
    const query = parseQuery({ [name]: value })
    expect(query.where).toEqual([eq(name, String(value))])
    expect(query).toMatchObject({ sort: [], window: { kind: 'all' }, embed: [] })
  })

  it('repeated is none of these', () => {
    expect(parseQuery({ filter: ['{"a":1}', '{"b":1}'] }).where).toEqual([eq('filter', '{"a":1}', '{"b":1}')])
  })
})

describe('a word with an underscore wins', () => {
  const wins = (name: string, detail: string): Ignored => ({ name, reason: 'another parameter wins', detail })
  it.each<[Record<string, unknown>, Partial<ListQuery>, Ignored]>([
    [{ sort: ['a', 'ASC'], _sort: 'b' }, { sort: [{ path: 'b', order: 'asc' }] }, wins('sort', '_sort')],
    [{ range: [0, 4], _page: '2' }, { window: { kind: 'page', page: 2, size: 10 } }, wins('range', '_page')],
    [{ range: [0, 4], _limit: '2' }, { window: { kind: 'limit', count: 2 } }, wins('range', '_limit')],
    [{ embed: ['a'], _embed: 'b' }, { embed: ['b'] }, wins('embed', '_embed')],
  ])('%j', (query, meaning, ignored) => {
    expect(ask(query)).toMatchObject({ ...meaning, ignored: [ignored] })
  })

  it('unless it is empty', () => {
    expect(ask({ sort: ['a', 'ASC'], _sort: '' })).toMatchObject({ sort: [{ path: 'a', order: 'asc' }] })
  })
})

describe('a new word', () => {
  it.each<[Record<string, string>, unknown]>([
    [{ _per_page: '5' }, { window: { kind: 'envelope', page: 1, size: 5 } }],
    [{ _per_page: '5', _page: '3' }, { window: { kind: 'envelope', page: 3, size: 5 } }],
    [{ _per_page: '5', _page: '-1' }, { window: { kind: 'envelope', page: 1, size: 5 } }],
    [{ _per_page: '0' }, { ignored: { name: '_per_page', reason: 'unreadable value', detail: '0' } }],
    [{ _per_page: 'x' }, { ignored: { name: '_per_page', reason: 'unreadable value', detail: 'x' } }],
    [{ _per_page: '' }, {}],
    [
      { _per_page: '5', _limit: '1' },
      { ignored: { name: '_per_page', reason: 'another parameter wins', detail: '_limit' } },
    ],
    [{ _perPage: '5', _page: '2' }, { window: { kind: 'page', page: 2, size: 5 } }],
    [{ _perPage: '5' }, { window: { kind: 'limit', count: 5 } }],
    [
      { _perPage: '5', _limit: '1' },
      { ignored: { name: '_perPage', reason: 'another parameter wins', detail: '_limit' } },
    ],
    [{ _sortField: 'a', _sortDir: 'DESC' }, { sort: [{ path: 'a', order: 'desc' }] }],
    [
      { _sortField: 'a', _sort: 'b' },
      { ignored: { name: '_sortField', reason: 'another parameter wins', detail: '_sort' } },
    ],
    [{ _where: '{"a":1}' }, { where: [{ and: [{ ...eq('a', '1'), place: '_where.a' }] }] }],
    [{ _where: '' }, { where: [] }],
    [{ _where: '{' }, { error: expect.stringContaining('_where is not valid JSON') }],
  ])('%j', (query, means) => {
    const [name = ''] = Object.keys(query)
    const words = parseQuery(query).words ?? []
    expect(words.find((word) => word.name === name)).toEqual({ name, values: [query[name]], means })
  })
})
