import { describe, expect, it } from 'vitest'
import type { Dependents } from '../../../src/storage/change.ts'
import { someHas } from '../../../src/storage/query/query.ts'
import { attachRelations } from '../../../src/storage/relations/attach.ts'
import { findRelated } from '../../../src/storage/relations/find-related.ts'
import { dependentsOf as findingDependents, foreignKey } from '../../../src/storage/relations/relations.ts'
import type { Data, Naming, Relations, Row } from '../../../src/storage/types.ts'
import { workInSlices } from '../../../src/work/in-slices.ts'
import { done } from '../../support/done.ts'
import { LocalStore } from '../../support/engine/local-store.ts'
import { Outside } from '../../support/engine/outside.ts'

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
  const find = (name: string, id: unknown) => rows(name)?.find((row) => String(row[naming.id]) === String(id))
  return {
    naming,
    rows,
    sizeOf: (name: string) => rows(name)?.length,
    find,
    lookup: () => undefined,
    lookupEntries: () => undefined,
    hasField: (name: string, field: string) => someHas(rows(name) ?? [], field),
    names: () => Object.keys(data),
    version: 0,
    isOwned: false,
  }
}

function attach(from: ReturnType<typeof source>, name: string, rows: readonly Row[], relations: Relations) {
  return done(attachRelations(from, name, rows, relations))
}

function dependentsOf(
  from: ReturnType<typeof source>,
  name: string,
  row: Row,
  among: Dependents,
): Map<string, Row[]> {
  return done(findingDependents(from, name, [row], among)).rows
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
    expect(attach(source(), collection, [row ?? {}], { embed, expand })).toEqual([expected])
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
    expect(attach(source(), 'products', [row ?? {}], { embed, expand })[0]).toBe(row)
  })

  it('works with another name for the id', () => {
    const data = { posts: [{ _id: 1 }], comments: [{ _id: 7, postId: 1 }] }
    const custom = source(data, { id: '_id', foreignKeySuffix: 'Id' })
    const posts = attach(custom, 'posts', data.posts, { embed: ['comments'], expand: [] })
    expect(posts).toEqual([{ _id: 1, comments: [{ _id: 7, postId: 1 }] }])
    const comments = attach(custom, 'comments', data.comments, { embed: [], expand: ['post'] })
    expect(comments).toEqual([{ _id: 7, postId: 1, post: { _id: 1 } }])
  })

  it('leaves rows that are no objects alone', () => {
    const odd = [null, 'text', 5, [1]]
    const rows = attach(source(), 'companies', odd as unknown as Row[], { embed: ['products'], expand: [] })
    for (const [at, row] of rows.entries()) expect(row).toBe(odd[at])
  })
})

describe('relations of many rows', () => {
  const ODD = [1, '2', [1, 2], { a: 1 }, [], true, null, [[1], 2], 'x'.repeat(20_000), Array(1500).fill(1)]
  const PARENTS = [...ODD, 1, ...Array.from({ length: 300 }, (_, n) => n + 10)].map((id, at) => ({ id, at }))
  const CHILDREN = [...ODD, ...Array.from({ length: 500 }, (_, n) => (n % 300) + 10)].map((key, at) => ({
    id: `c${at}`,
    parent_id: key,
  }))
  const isSame = (a: unknown, b: unknown) => {
    const tooLong = [a, b].some((value) => String(value).length > 2000)
    return !tooLong && a !== null && b !== null && String(a) === String(b)
  }

  /** A server's own data, which it has indexes of, and somebody else's, which it has not. */
  const stores = {
    owned: () =>
      new LocalStore(
        { parents: PARENTS.slice(), children: CHILDREN.slice() },
        { ...NAMING, medium: new Outside(), isOwned: true },
      ),
    shared: () => new LocalStore({ parents: PARENTS.slice(), children: CHILDREN.slice() }, NAMING),
  }

  it.each(['owned', 'shared'] as const)('are found by odd keys as by others: %s', async (kind) => {
    const store = stores[kind]()
    const embed = { embed: ['children'], expand: [] }
    for (const [at, row] of (
      await workInSlices(attachRelations(store, 'parents', PARENTS, embed))
    ).entries()) {
      const children = CHILDREN.filter((child) => isSame(child.parent_id, PARENTS[at]?.id))
      expect(row).toEqual({ ...PARENTS[at], children })
    }
    const expand = { embed: [], expand: ['parent'] }
    for (const count of [CHILDREN.length, 3]) {
      const some = CHILDREN.slice(0, count)
      for (const [at, row] of (
        await workInSlices(attachRelations(store, 'children', some, expand))
      ).entries()) {
        const parent = PARENTS.find(({ id }) => isSame(id, some[at]?.parent_id))
        expect(row).toEqual(parent ? { ...some[at], parent } : some[at])
      }
    }
  })

  it.each(['owned', 'shared'] as const)(
    'do not have every child looked at for every parent: %s',
    async (kind) => {
      let reads = 0
      const children = CHILDREN.map(({ id, parent_id }) =>
        Object.defineProperty({ id }, 'parent_id', {
          enumerable: true,
          get: () => {
            reads++
            return parent_id
          },
        }),
      )
      const store = new LocalStore({ parents: PARENTS, children }, { ...NAMING, isOwned: kind === 'owned' })
      await workInSlices(attachRelations(store, 'parents', PARENTS, { embed: ['children'], expand: [] }))
      expect(reads).toBeLessThan(10 * children.length)
      reads = 0
      await workInSlices(findingDependents(store, 'parents', [{ id: 1 }], 'all'))
      expect(reads).toBeLessThan(10 * children.length)
    },
  )

  it('are those of one moment, though others write while they are looked up', async () => {
    const store = stores.owned()
    const wanted = { embed: ['children'], expand: [] }
    const expected = await workInSlices(findRelated(store, 'parents', PARENTS, wanted))
    const work = findRelated(store, 'parents', PARENTS, wanted, 0)
    for (let turn = 0; turn < 5; turn++) work.next()
    // One moves to another parent, some go and some come.
    await store.write({
      kind: 'batch',
      changes: [
        { kind: 'merge', collection: 'children', id: 'c20', fields: { parent_id: 300 } },
        { kind: 'remove', collection: 'children', id: 'c400' },
        { kind: 'insert', collection: 'children', rows: [{ parent_id: 305 }] },
      ],
    })
    for (let turn = 0; turn < 5; turn++) work.next()
    const rows = Array.from({ length: 1500 }, () => ({ parent_id: 306 }))
    await store.write({ kind: 'insert', collection: 'children', rows })
    expect(await workInSlices(work)).toEqual(expected)
  })

  it('that several rows have in common are found once', () => {
    const twins = Array.from({ length: 50 }, () => ({ id: 1 }))
    const data = { parents: twins, children: Array.from({ length: 100 }, () => ({ parent_id: 1 })) }
    const rows = attach(source(data), 'parents', twins, { embed: ['children'], expand: [] })
    expect(new Set(rows.map(({ children }) => children)).size).toBe(1)
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
