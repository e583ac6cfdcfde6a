import { describe, expect, it } from 'vitest'
import type { RowChange } from '../../../../src/core/engine/change.ts'
import { Engine } from '../../../../src/core/engine/engine.ts'
import { readRows } from '../../../../src/core/engine/read-rows.ts'
import { collectionsOf } from '../../../../src/core/engine/relations/relations.ts'
import type { Data, ListQuery, Row } from '../../../../src/core/engine/types.ts'
import { openLive } from '../../../../src/stores/live/live-data.ts'
import { countReads } from '../../../support/engine/count-reads.ts'
import { pauseOften } from '../../../support/engine/pause-often.ts'

const NAMING = { id: 'id', foreignKeySuffix: '_id' }

const ENGINES: [string, (data: Data) => Engine][] = [
  ['an engine', (data) => new Engine(data, NAMING)],
  ['an object that others hold', (data) => openLive({ data }, NAMING)],
  ['a fork', (data) => new Engine(data, NAMING).fork(1)],
]

function patch(collection: string, id: string, fields: Row): RowChange {
  return { kind: 'merge', collection, id, fields }
}

async function attach(
  engine: Engine,
  collection: string,
  { embed, expand }: { embed?: string; expand?: string },
  id?: string,
): Promise<readonly Row[]> {
  const query: ListQuery = {
    where: id === undefined ? [] : [{ path: 'id', op: 'eq', values: [id] }],
    sort: [],
    window: { kind: 'all' },
    embed: embed?.split(',') ?? [],
    expand: expand?.split(',') ?? [],
  }
  const { found } = await engine.read({ kind: 'list', collection, query })
  const rows = found?.rows ?? []
  return 'toArray' in rows ? rows.toArray() : rows
}

const SHOP = {
  countries: [{ id: 'it', name: 'Italy' }],
  companies: [
    { id: 1, country_id: 'it' },
    { id: 2, country_id: null },
  ],
  products: [{ id: 1, company_id: 1 }, { id: 2, company_id: 1 }, { id: 3, company_id: 2 }, { id: 4 }],
  reviews: [
    { id: 1, product_id: 1 },
    { id: 2, product_id: 3 },
  ],
  'products.old': [{ id: 9, company_id: 2 }],
  profile: { id: 1 },
} satisfies Data

describe('dots lead from relation to relation', () => {
  const [italy] = SHOP.countries
  const [one, two] = SHOP.companies
  const [p1, p2, p3, p4] = SHOP.products
  const [r1, r2] = SHOP.reviews

  it.each<[string, string, { embed?: string; expand?: string }, unknown[]]>([
    [
      'children of children',
      'companies',
      { embed: 'products.reviews' },
      [
        {
          ...one,
          products: [
            { ...p1, reviews: [r1] },
            { ...p2, reviews: [] },
          ],
        },
        { ...two, products: [{ ...p3, reviews: [r2] }] },
      ],
    ],
    [
      'parents of parents, as far as there are any',
      'products',
      { expand: 'company.country' },
      [
        { ...p1, company: { ...one, country: italy } },
        { ...p2, company: { ...one, country: italy } },
        { ...p3, company: two },
        p4,
      ],
    ],
    [
      'parents of children, and back',
      'reviews',
      { embed: 'product.company.country,product.reviews' },
      [
        { ...r1, product: { ...p1, company: { ...one, country: italy }, reviews: [r1] } },
        { ...r2, product: { ...p3, company: two, reviews: [r2] } },
      ],
    ],
    [
      'children by `_expand`, before a dot',
      'countries',
      { expand: 'companies.products' },
      [
        {
          ...italy,
          companies: [{ ...one, products: [p1, p2] }],
        },
      ],
    ],
    [
      'an unknown name after a dot',
      'countries',
      { embed: 'companies.nope.products' },
      [{ ...italy, companies: [one] }],
    ],
    [
      'an unknown name before a dot',
      'countries',
      { embed: 'nope.companies', expand: 'a.b.c.d.e.f.g' },
      [italy],
    ],
    ['a singular resource', 'countries', { embed: 'profile.companies' }, [italy]],
    [
      'dots without names',
      'countries',
      { embed: '.,..,.companies,companies..products' },
      [{ ...italy, companies: [one] }],
    ],
    [
      'what every object inherits',
      'countries',
      { embed: 'companies.__proto__,constructor.x' },
      [{ ...italy, companies: [one] }],
    ],
    [
      'a collection with a dot in its name, as ever',
      'companies',
      { embed: 'products.old' },
      [
        { ...one, 'products.old': [] },
        { ...two, 'products.old': SHOP['products.old'] },
      ],
    ],
    [
      'one relation with and without more',
      'countries',
      { embed: 'companies,companies.products' },
      [{ ...italy, companies: [{ ...one, products: [p1, p2] }] }],
    ],
  ])('%s', async (_, collection, asked, expected) => {
    const before = JSON.stringify(SHOP)
    for (const [name, open] of ENGINES) {
      expect([name, await attach(open(SHOP), collection, asked)]).toEqual([name, expected])
    }
    expect(JSON.stringify(SHOP)).toBe(before)
  })

  it('a row that stands in several is put together once', async () => {
    const [first, second] = await attach(new Engine(SHOP, NAMING), 'products', { expand: 'company.country' })
    expect(first?.company).toBe(second?.company)
  })

  it('circles in the data end where the dots do', async () => {
    const nodes = [
      { id: 1, node_id: 2 },
      { id: 2, node_id: 1 },
      { id: 3, node_id: 3 },
    ]
    const [a, b, c] = nodes
    expect(await attach(new Engine({ nodes }, NAMING), 'nodes', { expand: 'node.node' })).toEqual([
      { ...a, node: { ...b, node: a } },
      { ...b, node: { ...a, node: b } },
      { ...c, node: { ...c, node: c } },
    ])
  })
})

describe('a list of keys', () => {
  const BLOG = {
    posts: [
      { id: 1, tag_ids: [1, '2', 1, null, 9, { id: 1 }, [1], undefined, true] },
      { id: 2, tag_ids: [] },
      { id: 3, tag_ids: 1 },
      { id: 4, tag_ids: null },
      { id: 5, tags: 'as typed', tag_ids: [2] },
      { id: 6 },
    ],
    tags: [{ id: 1 }, { id: '2' }, { id: 3 }, { name: 'no id' }, { id: 'true' }],
  }
  const [t1, t2, , , tTrue] = BLOG.tags
  const [p1, p2, p3, p4, p5, p6] = BLOG.posts

  it.each(ENGINES)('leads to what it lists, and back: %s', async (_, open) => {
    const engine = open(BLOG)
    expect(await attach(engine, 'posts', { expand: 'tags' })).toEqual([
      { ...p1, tags: [t1, t2, tTrue] },
      { ...p2, tags: [] },
      ...[p3, p4, p5, p6],
    ])
    expect(await attach(engine, 'posts', { embed: 'tags' })).toEqual([
      { ...p1, tags: [t1, t2, tTrue] },
      ...[p2, p3, p4].map((post) => ({ ...post, tags: [] })),
      { ...p5, tags: [t2] },
      { ...p6, tags: [] },
    ])
    const posts = [[p1], [p1, p5], [], [], [p1]]
    expect(await attach(engine, 'tags', { embed: 'posts' })).toEqual(
      BLOG.tags.map((tag, at) => ({ ...tag, posts: posts[at] })),
    )
    expect(await attach(engine, 'tags', { expand: 'posts' })).toEqual(BLOG.tags)
    const [deep] = await attach(engine, 'tags', { embed: 'posts.tags' })
    expect(deep).toEqual({ ...t1, posts: [{ ...p1, tags: [t1, t2, tTrue] }] })
  })

  it('is spelled as the suffix is', async () => {
    const data = { posts: [{ _id: 1, tagIds: [2] }], tags: [{ _id: 1 }, { _id: 2 }] }
    const engine = new Engine(data, { id: '_id', foreignKeySuffix: 'Id' })
    expect(await attach(engine, 'posts', { expand: 'tags' })).toEqual([
      { ...data.posts[0], tags: [{ _id: 2 }] },
    ])
    expect((await attach(engine, 'tags', { embed: 'posts' }))[1]).toEqual({ _id: 2, posts: data.posts })
  })

  it('may list rows of the same collection', async () => {
    const posts = [{ id: 1, post_ids: [2, 1] }, { id: 2 }]
    expect(await attach(new Engine({ posts }, NAMING), 'posts', { embed: 'posts' })).toEqual([
      { ...posts[0], posts: [posts[1], posts[0]] },
      { ...posts[1], posts: [posts[0]] },
    ])
  })

  it.each<[string, Data, string, { embed?: string; expand?: string }, unknown]>([
    [
      'children',
      { posts: [{ id: 1, tag_ids: [2] }], tags: [{ id: 1, post_id: 1 }, { id: 2 }] },
      'posts',
      { embed: 'tags' },
      { id: 1, tag_ids: [2], tags: [{ id: 1, post_id: 1 }] },
    ],
    [
      'children, seen from the other side',
      {
        tags: [{ id: 1 }],
        posts: [
          { id: 1, tag_ids: [1] },
          { id: 2, tag_id: 1 },
        ],
      },
      'tags',
      { embed: 'posts' },
      { id: 1, posts: [{ id: 2, tag_id: 1 }] },
    ],
    [
      'a parent whose name has no singular',
      { posts: [{ id: 1, news_id: 1, news_ids: [2] }], news: [{ id: 1 }, { id: 2 }] },
      'posts',
      { expand: 'news' },
      { id: 1, news_id: 1, news_ids: [2], news: { id: 1 } },
    ],
    [
      'a key that is a list',
      { posts: [{ id: 1, tag_id: [1, 2] }], tags: [{ id: 1 }, { id: '1,2' }] },
      'posts',
      { expand: 'tag' },
      { id: 1, tag_id: [1, 2], tag: { id: '1,2' } },
    ],
  ])('gives way to what json-server understood: %s', async (_, data, collection, asked, expected) => {
    expect((await attach(new Engine(data, NAMING), collection, asked))[0]).toEqual(expected)
  })
})

describe('what relations of relations may cost', () => {
  const many = (count: number, fields: (n: number) => Row) =>
    Array.from({ length: count }, (_, n) => fields(n))

  it.each<[string, Data, string, { embed?: string; expand?: string }]>([
    [
      'rows that multiply',
      { as: many(400, (n) => ({ id: n, b_id: 1 })), bs: many(400, (n) => ({ id: n })) },
      'as',
      { expand: 'b.as' },
    ],
    [
      'circles',
      { nodes: many(200, (n) => ({ id: n, node_id: n % 2 })) },
      'nodes',
      { embed: 'nodes.node.nodes.node.nodes' },
    ],
    [
      'long lists of keys',
      {
        posts: many(101, () => ({ tag_ids: many(1000, (n) => ({ n })).map((_, n) => n) })),
        tags: many(1000, (n) => ({ id: n })),
      },
      'posts',
      { expand: 'tags' },
    ],
    [
      'long lists of keys, from the other side',
      {
        posts: many(101, () => ({ tag_ids: many(1000, (n) => ({ n })).map((_, n) => n) })),
        tags: many(1000, (n) => ({ id: n })),
      },
      'tags',
      { embed: 'posts' },
    ],
    ['six levels', { nodes: [{ id: 1 }] }, 'nodes', { embed: 'nodes.nodes.nodes.nodes.nodes.nodes' }],
    [
      'very many relations',
      Object.fromEntries([...'abcdefgh'].map((name) => [`${name}s`, [{ id: 1, a_id: 1 }]])),
      'as',
      { embed: [...'abcdefgh'].flatMap((x) => [...'abcdefgh'].map((y) => `${x}s.${y}s`)).join() },
    ],
  ])('is refused before it is made: %s', async (_, data, collection, asked) => {
    const code = 'INVALID_QUERY'
    for (const [, open] of ENGINES) {
      await expect(attach(open(data), collection, asked)).rejects.toMatchObject({ code })
    }
  })

  it('ends at 100,000 rows, each counted as often as it stands there, and not before', async () => {
    const data = { as: many(50_000, () => ({ b_id: 1 })), bs: [{ id: 1, c_id: 1 }], cs: [{ id: 1 }] }
    expect(await attach(new Engine(data, NAMING), 'as', { expand: 'b.c' })).toHaveLength(50_000)
    data.as.push({ b_id: 1 })
    await expect(attach(new Engine(data, NAMING), 'as', { expand: 'b.c' })).rejects.toThrow('100000 rows')
  })

  it('does not end what json-server could be asked for', async () => {
    const data = { as: many(100_001, () => ({ b_id: 1 })), bs: [{ id: 1 }] }
    expect((await attach(new Engine(data, NAMING), 'as', { expand: 'b' })).at(-1)).toEqual({
      b_id: 1,
      b: { id: 1 },
    })
    expect((await attach(new Engine(data, NAMING), 'bs', { embed: 'as' }))[0]?.as).toHaveLength(100_001)
  })
})

describe('many rows', () => {
  const TAGS = Array.from({ length: 300 }, (_, n) => ({ id: n }))
  const POSTS = Array.from({ length: 500 }, (_, n) => ({
    id: n,
    tag_ids: [n % 300, (n * 7) % 300, 'x', null],
  }))
  const postsOf = (posts: readonly { tag_ids: readonly unknown[] }[], id: number) =>
    posts.filter(({ tag_ids }) => tag_ids.includes(id))

  it.each(ENGINES)('are found by the entries of lists, whatever is written: %s', async (_, open) => {
    const engine = open({ tags: TAGS.slice(), posts: POSTS.slice() })
    const check = async () => {
      const rows = await attach(engine, 'tags', { embed: 'posts' })
      const posts = (await readRows(engine, 'posts')) as typeof POSTS
      expect(rows).toEqual(TAGS.map((tag) => ({ ...tag, posts: postsOf(posts, tag.id) })))
    }
    await check()
    await engine.write({
      kind: 'batch',
      changes: [
        patch('posts', '3', { tag_ids: [5] }),
        { kind: 'remove', collection: 'posts', id: '10' },
        { kind: 'insert', collection: 'posts', rows: [{ tag_ids: [5, 5] }] },
      ],
    })
    await check()
    // A very long list, and a short one again.
    await engine.write(patch('posts', '4', { tag_ids: Array.from({ length: 5000 }, (_none, n) => n) }))
    await check()
    await engine.write(patch('posts', '4', { tag_ids: [1] }))
    await check()
  })

  it('are found through an index: not every list is read for every question', async () => {
    const posts = countReads(POSTS, 'tag_ids')
    const engine = new Engine({ tags: TAGS, posts: posts.rows }, NAMING)
    await attach(engine, 'tags', { embed: 'posts' })
    posts.reads = 0
    const [row] = await attach(engine, 'tags', { embed: 'posts' }, '7')
    expect(row?.posts).toHaveLength(postsOf(POSTS, 7).length)
    expect(posts.reads).toBeLessThan(POSTS.length / 10)
  })

  it.each([0, 1, 50, 300, 600])(
    'are those of one moment on every level, though others write after %i turns',
    async (turns) => {
      const engine = new Engine({ tags: TAGS.slice(), posts: POSTS.slice() }, NAMING)
      const wanted = { embed: 'posts.tags' }
      const expected = await attach(engine, 'tags', wanted)
      pauseOften()
      let isFound = false
      const found = attach(engine, 'tags', wanted).finally(() => {
        isFound = true
      })
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
      expect(isFound).toBe(false)
      await engine.write({
        kind: 'batch',
        changes: [patch('posts', '299', { tag_ids: [] }), { kind: 'remove', collection: 'tags', id: '200' }],
      })
      expect(await found).toEqual(expected)
      expect(await attach(engine, 'tags', wanted)).not.toEqual(expected)
    },
  )
})

it('all collections that dots may lead to are told, for those who guard them', () => {
  const engine = new Engine(SHOP, NAMING)
  const relations = { embed: ['product.reviews'], expand: ['company.country.nope'] }
  expect([...collectionsOf(engine, relations)].sort()).toEqual([
    'companies',
    'countries',
    'products',
    'reviews',
  ])
})
