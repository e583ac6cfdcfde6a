import { describe, expect, it } from 'vitest'
import { EMPTY_QUERY, formatQuery, parseQuery, pathOf } from '../../src/page/client/query.ts'

describe('formatQuery', () => {
  it.each([
    [{ q: 'a b' }, 'q=a%20b'],
    [{ filters: [{ field: 'price', operator: '_gte', value: '10' }] }, 'price_gte=10'],
    [
      { filters: [{ field: 'locations.city', operator: '', value: 'Rome, IT' }] },
      'locations.city=Rome,%20IT',
    ],
    [{ filters: [{ field: 'name', operator: '', value: '' }] }, 'name='],
    [{ filters: [{ field: '', operator: '', value: 'x' }] }, ''],
    [{ sort: [{ field: 'a', order: 'asc' }] }, '_sort=a'],
    [
      {
        sort: [
          { field: 'a', order: 'asc' },
          { field: 'b', order: 'desc' },
        ],
      },
      '_sort=a,b&_order=asc,desc',
    ],
    [{ embed: ['products'], expand: ['company'] }, '_embed=products&_expand=company'],
    [{ page: '2', limit: '10' }, '_page=2&_limit=10'],
    [{ start: '5', end: '9' }, '_start=5&_end=9'],
    [{ filters: [{ field: 'name', operator: '_in', value: '"a,b",c' }] }, 'name_in=%22a,b%22,c'],
    [{ where: '{"id":1}' }, '_where=%7B%22id%22:1%7D'],
    [{ fields: ['id', 'company.name'], omit: ['price'] }, '_fields=id,company.name&_omit=price'],
    [{ embed: ['products.reviews', 'orders'] }, '_embed=products.reviews&_embed=orders'],
    [{ page: '2', perPage: '10' }, '_page=2&_per_page=10'],
  ] as const)('writes %j as %s', (part, expected) => {
    expect(formatQuery({ ...EMPTY_QUERY, ...part })).toBe(expected)
  })
})

describe('parseQuery', () => {
  it.each([
    'q=x&price_gte=1&price_lte=9&name_like=a&id_ne=3&id=1&id=2',
    '_sort=a,b&_order=desc,asc',
    '_embed=a&_embed=b&_expand=c',
    '_page=1&_limit=25',
    '_start=0&_end=10',
    'price_gt=1&price_lt=9&price_between=1,9&id_in=1,2&id_nin=3&name_null=true&name_contains=a&name_eq=b',
    '_where=%7B%22id%22:1%7D&_sort=company.name,id&_embed=a.b.c&_fields=id,a.b&_omit=c&_page=1&_per_page=5',
  ])('reads what formatQuery writes: %s', (text) => {
    expect(formatQuery(parseQuery(text))).toBe(text)
  })

  it.each([
    ['_sort=-price,name', '_sort=price,name&_order=desc,asc'],
    ['_sort=-price&_order=asc', '_sort=price&_order=desc'],
    ['price:gt=1', 'price_gt=1'],
  ])('reads %s as json-server 1.0 means it, and writes %s', (text, expected) => {
    expect(formatQuery(parseQuery(text))).toBe(expected)
  })

  it('takes a field that is called like a suffix for a field', () => {
    expect(parseQuery('_like=1').filters).toEqual([{ field: '_like', operator: '', value: '1' }])
  })
})

describe('pathOf', () => {
  it.each([
    ['a b', undefined, '/a%20b'],
    ['products', '7', '/products/7'],
    ['products', 'a/b', '/products/a%2Fb'],
    ['half\ud83d', '\ude00', '/half%EF%BF%BD/%EF%BF%BD'],
  ])('leads to %s %s by %s', (resource, id, expected) => {
    expect(pathOf(resource, id)).toBe(expected)
  })
})
