import { describe, expect, it } from 'vitest'
import { workAtOnce } from '../../src/in-slices.ts'
import { joinRows } from '../../src/storage/joined-rows.ts'
import { attachRelations, dependentsOf, foreignKey } from '../../src/storage/relations.ts'
import type { Data, Naming, Row } from '../../src/storage/types.ts'

const NAMING: Naming = { id: 'id', foreignKeySuffix: '_id' }

const DATA = {
  companies: [{ id: 1, name: 'One' }, { id: 2, name: 'Two' }, { name: 'no id' }],
  products: [
    { id: 1, company_id: 1 },
    { id: 2, company_id: '1' },
    { id: 3, company_id: null },
    { id: 4 },
    { id: 5, company_id: 99, company: 'as typed' },
  ],
  reviews: [
    { id: 1, product_id: 1, review_id: 2 },
    { id: 2, product_id: 9, review_id: 1 },
    { id: 3, product_id: 9 },
  ],
  profile: { id: 1 },
} satisfies Data

function source(data: Data = DATA, naming: Naming = NAMING) {
  function rows(name: string): readonly Row[] | undefined {
    const value = Object.hasOwn(data, name) ? data[name] : undefined
    return Array.isArray(value) ? value : undefined
  }
  function findBy(name: string, field: string, value: unknown): readonly Row[] {
    const isMeant = (row: Row) =>
      (row[field] ?? undefined) !== undefined && String(row[field]) === String(value)
    return rows(name)?.filter(isMeant) ?? []
  }
  const find = (name: string, id: unknown) => findBy(name, naming.id, id)[0]
  return { naming, rows, find, findBy, names: () => Object.keys(data) }
}

const [one, , withoutId] = DATA.companies
const [first, second, withNull, without, dangling] = DATA.products

describe('foreignKey', () => {
  it.each([
    ['companies', 'company_id'],
    ['products', 'product_id'],
    ['people', 'person_id'],
    ['news', 'news_id'],
  ])('of %s is %s', (parent, key) => {
    expect(foreignKey(parent, NAMING)).toBe(key)
  })
})

describe('attachRelations', () => {
  it.each<[string, string, Row | undefined, { embed?: string[]; expand?: string[] }, unknown]>([
    [
      'children by id, as text',
      'companies',
      one,
      { embed: ['products'] },
      { ...one, products: [first, second] },
    ],
    [
      'no children',
      'companies',
      DATA.companies[1],
      { embed: ['products'] },
      { ...DATA.companies[1], products: [] },
    ],
    [
      'no children without id',
      'companies',
      withoutId,
      { embed: ['products'] },
      { ...withoutId, products: [] },
    ],
    [
      'a collection that never points here',
      'products',
      first,
      { embed: ['companies'] },
      { ...first, companies: [] },
    ],
    ['an embedded parent', 'products', first, { embed: ['company'] }, { ...first, company: one }],
    ['an expanded parent', 'products', second, { expand: ['company'] }, { ...second, company: one }],
    [
      'both at once',
      'products',
      first,
      { embed: ['reviews'], expand: ['company'] },
      { ...first, reviews: [DATA.reviews[0]], company: one },
    ],
  ])('puts in %s', (_, collection, row, { embed = [], expand = [] }, expected) => {
    const before = JSON.stringify(DATA)
    expect(attachRelations(source(), collection, row ?? {}, { embed, expand })).toEqual(expected)
    expect(JSON.stringify(DATA)).toBe(before)
  })

  it.each<[string, Row | undefined, { embed?: string[]; expand?: string[] }]>([
    ['an unknown name', first, { embed: ['nope'], expand: ['nope'] }],
    ['the name of a field', one, { embed: ['name'] }],
    ['a singular resource', first, { embed: ['profile'] }],
    ['a parent in the plural', first, { expand: ['companies'] }],
    ['a key that is null', withNull, { embed: ['company'], expand: ['company'] }],
    ['a key that is missing', without, { embed: ['company'], expand: ['company'] }],
    ['a key that points nowhere', dangling, { expand: ['company'] }],
    [
      'what every object inherits',
      first,
      { embed: ['__proto__', 'constructor'], expand: ['__proto__', 'toString'] },
    ],
  ])('gives the row itself back for %s', (_, row, { embed = [], expand = [] }) => {
    expect(attachRelations(source(), 'products', row ?? {}, { embed, expand })).toBe(row)
  })

  it('works with another name for the id', () => {
    const data = { posts: [{ _id: 1 }], comments: [{ _id: 7, postId: 1 }] }
    const custom = source(data, { id: '_id', foreignKeySuffix: 'Id' })
    const posts = workAtOnce(joinRows(custom, 'posts', data.posts, { embed: ['comments'], expand: [] }))
    expect(posts.toArray()).toEqual([{ _id: 1, comments: [{ _id: 7, postId: 1 }] }])
    const comments = workAtOnce(joinRows(custom, 'comments', data.comments, { embed: [], expand: ['post'] }))
    expect(comments.toArray()).toEqual([{ _id: 7, postId: 1, post: { _id: 1 } }])
  })

  it('leaves rows that are no objects alone', () => {
    const odd = [null, 'text', 5, [1]] as unknown as Row[]
    const names = { embed: ['products'], expand: [] }
    const joined = workAtOnce(joinRows(source(), 'companies', odd, names))
    expect(joined.toArray()).toEqual(odd)
    for (const row of odd) expect(attachRelations(source(), 'companies', row, names)).toBe(row)
  })
})

describe('dependentsOf', () => {
  it('finds what depends on a row, directly and through others, and goes in no circle', () => {
    expect(dependentsOf(source(), 'companies', one ?? {}, 'all')).toEqual(
      new Map<string, Row[]>([
        ['products', [first ?? {}, second ?? {}]],
        ['reviews', [DATA.reviews[0] ?? {}, DATA.reviews[1] ?? {}]],
      ]),
    )
  })

  it('looks only into the collections that are named', () => {
    expect([...dependentsOf(source(), 'companies', one ?? {}, ['products']).keys()]).toEqual(['products'])
    expect(dependentsOf(source(), 'companies', one ?? {}, ['reviews', 'nope', 'profile']).size).toBe(0)
  })

  it('never takes the row itself, nor rows that point elsewhere or nowhere', () => {
    const data = { nodes: [{ id: 1, node_id: 1 }, { id: 2, node_id: 1 }, { id: 3, node_id: 9 }, { id: 4 }] }
    const [root, child] = data.nodes
    expect(dependentsOf(source(data), 'nodes', root ?? {}, 'all')).toEqual(new Map([['nodes', [child]]]))
    expect(dependentsOf(source(), 'companies', withoutId ?? {}, 'all').size).toBe(0)
  })
})
