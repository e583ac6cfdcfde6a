import { describe, expect, it } from 'vitest'
import { editDistance } from '../../../src/router/explain/edit-distance.ts'
import { suggest } from '../../../src/router/explain/suggest.ts'

describe('the distance of two words', () => {
  it.each<[string, string, number, number | undefined]>([
    ['price', 'price', 2, 0],
    ['prce', 'price', 2, 1],
    ['pricee', 'price', 2, 1],
    ['prise', 'price', 2, 1],
    ['pirce', 'price', 2, 1],
    ['', 'ab', 2, 2],
    ['ab', '', 2, 2],
    ['price', 'title', 2, undefined],
    ['a', 'abcd', 2, undefined],
    ['ab', 'ba', 0, undefined],
  ])('%s, %s', (a, b, most, distance) => {
    expect(editDistance(a, b, most)).toBe(distance)
    expect(editDistance(b, a, most)).toBe(distance)
  })
})

describe('the nearest thing that would have worked', () => {
  const fields = ['id', 'price', 'priced', 'company_id', 'head', 'head.city', 'Name']

  it.each<[string, string | undefined]>([
    ['price_gtt', 'price_gt'],
    ['price_Contains', 'price_contains'],
    ['prise_beteen', 'price_between'],
    ['price:startswith', 'price:startsWith'],
    ['companyId', 'company_id'],
    ['companyId_in', 'company_id_in'],
    ['name', 'Name'],
    ['head.ctiy_ne', 'head.city_ne'],
    ['limit', '_limit'],
    ['per_page', '_per_page'],
    ['_embeded', '_embed'],
    ['x', undefined],
    ['v', undefined],
    ['__', undefined],
    ['color', undefined],
    ['price'.repeat(20), undefined],
  ])('for %s', (name, suggestion) => {
    expect(suggest({ name, reason: 'unknown field' }, fields)).toBe(suggestion)
  })

  it('is not looked for among more names than anybody reads', () => {
    const many = [...Array.from({ length: 100_000 }, (_, at) => `other${at}`), 'price']
    expect(suggest({ name: 'prise', reason: 'unknown field' }, many)).toBeUndefined()
  })
})
