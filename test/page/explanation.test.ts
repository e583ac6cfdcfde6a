import { describe, expect, it } from 'vitest'
import { readExplanation } from '../../src/page/tools/explanation.ts'

const EXPLAINED = {
  resource: 'products',
  filters: [
    { field: 'price', operator: 'gte', values: ['10'] },
    { field: 'id', operator: 'eq', values: ['1', '2'] },
    { field: 'id', operator: 'ne', values: ['3', '4'] },
    { field: 'price', operator: 'between', values: ['1', '2'] },
    {
      or: [
        { field: 'name', operator: 'in', values: ['a', 'b'] },
        { not: { field: 'x', operator: 'null', values: ['true'] } },
      ],
    },
    { field: 'x', operator: 'unheard-of', values: [] },
  ],
  search: 'lamp',
  sort: [
    { field: 'price', order: 'desc' },
    { field: 'company.name', order: 'asc' },
  ],
  window: { kind: 'page', page: 2, size: 10 },
  relations: { embed: ['reviews.user'], expand: ['company'] },
  fields: ['id'],
  omit: ['price'],
  ignored: [
    { name: 'pirce', reason: 'unknown field', suggestion: 'price' },
    { name: 'z', reason: 'unknown field' },
  ],
  plan: { uses: [{ index: 'sorted', field: 'price' }], examined: 1200, matched: 7 },
  ms: 0.25,
}

describe('readExplanation', () => {
  it('says in words what the server understood', () => {
    expect(readExplanation(EXPLAINED)).toEqual({
      parts: [
        [
          'Filters',
          [
            'price is at least 10',
            'id is 1 or 2',
            'id is not 3 nor 4',
            'price is between 1 and 2',
            '(name is one of a, b or not x is empty)',
            '{"field":"x","operator":"unheard-of","values":[]}',
          ],
        ],
        ['Search', ['“lamp” in any field']],
        ['Sort', ['price, descending', 'company.name, ascending']],
        ['Window', ['Page 2, 10 rows each']],
        ['Relations', ['embed reviews.user', 'expand company']],
        ['Fields', ['id', 'without price']],
        ['Index', ['sorted index on price']],
        ['Rows', ['1,200 examined, 7 matched']],
      ],
      ignored: EXPLAINED.ignored,
      ms: 0.25,
    })
  })

  it.each([
    [{ kind: 'all' }, []],
    [{ kind: 'envelope', page: 1, size: 5 }, ['Page 1, 5 rows each']],
    [{ kind: 'limit', count: 3 }, ['The first 3 rows']],
    [{ kind: 'slice', start: 2 }, ['Rows from 2 on']],
    [{ kind: 'slice', start: 2, end: 5 }, ['Rows from 2 up to 5']],
  ])('shows the window %j as %j', (window, expected) => {
    expect(readExplanation({ ...EXPLAINED, window })?.parts).toContainEqual(['Window', expected])
  })

  it.each([[[]], [null], ['text'], [{ ms: 1 }], [{ plan: {} }]])('takes %j for something else', (data) => {
    expect(readExplanation(data)).toBeUndefined()
  })
})
