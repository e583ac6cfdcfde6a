import { describe, expect, it } from 'vitest'
import type { ResourceInfo } from '../../src/core/kernel/catalogue/service-info.ts'
import {
  childrenOf,
  deeperThan,
  isAttached,
  parentsOf,
  toggleRelation,
} from '../../src/page/tools/relations.ts'

const ALL: readonly ResourceInfo[] = [
  collection('companies', [['country_id', 'countries', 'country']]),
  collection('countries', []),
  collection('products', [['company_id', 'companies', 'company']]),
  collection('reviews', [
    ['product_id', 'products', 'product'],
    ['user_id', 'users', 'user'],
  ]),
  collection('users', []),
]

describe('the relations of a resource', () => {
  it('are its children and its parents', () => {
    expect(childrenOf(ALL, 'companies').map(({ name }) => name)).toEqual(['products'])
    expect(parentsOf(ALL, 'companies').map(({ name }) => name)).toEqual(['country'])
    expect(parentsOf(ALL, 'unknown')).toEqual([])
  })

  it('are both sides of many to many', () => {
    const posts = {
      ...collection('posts', []),
      lists: [{ field: 'tag_ids', resource: 'tags', expand: 'tags' }],
    }
    const all = [posts, collection('tags', [])]
    expect(childrenOf(all, 'posts')).toEqual([{ name: 'tags', resource: 'tags', field: 'tag_ids' }])
    expect(childrenOf(all, 'tags')).toEqual([{ name: 'posts', resource: 'posts', field: 'tag_ids' }])
    const both = [posts, collection('tags', [['post_id', 'posts', 'post']])]
    expect(childrenOf(both, 'posts')).toEqual([{ name: 'tags', resource: 'tags', field: 'post_id' }])
  })

  it.each([
    // Not back to the company.
    ['companies', 'products', ['reviews']],
    ['products', 'reviews', ['user']],
    // The company's other products.
    ['products', 'company', ['products', 'country']],
  ])('from %s go on behind %s with %j', (resource, name, expected) => {
    const step = [...childrenOf(ALL, resource), ...parentsOf(ALL, resource)].find((one) => one.name === name)
    expect(step && deeperThan(ALL, step).map((one) => one.name)).toEqual(expected)
  })
})

describe('toggleRelation', () => {
  it.each([
    [[], 'products', ['products']],
    [['products'], 'products', []],
    [['products'], 'products.reviews', ['products.reviews']],
    [['products.reviews'], 'products.reviews', ['products']],
    [['products.reviews.user'], 'products', []],
    [['products.reviews'], 'products.orders', ['products.reviews', 'products.orders']],
    [['products.reviews', 'products.orders'], 'products.orders', ['products.reviews']],
    [['products', 'productsOld'], 'products', ['productsOld']],
  ])('turns %j with %s into %j', (chosen, path, expected) => {
    expect(toggleRelation(chosen, path)).toEqual(expected)
  })

  it('counts what lies on the way as attached', () => {
    expect(isAttached(['products.reviews'], 'products')).toBe(true)
    expect(isAttached(['products'], 'products.reviews')).toBe(false)
    expect(isAttached(['productsOld'], 'products')).toBe(false)
  })
})

function collection(name: string, relations: readonly [string, string, string][]): ResourceInfo {
  return {
    name,
    kind: 'collection',
    count: 1,
    relations: relations.map(([field, resource, expand]) => ({ field, resource, expand })),
  }
}
