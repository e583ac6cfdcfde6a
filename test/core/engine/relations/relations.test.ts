import { describe, expect, it } from 'vitest'
import type { Dependents } from '../../../../src/core/engine/change.ts'
import { Draft } from '../../../../src/core/engine/changes/draft.ts'
import { dependentsOf as findDependents } from '../../../../src/core/engine/changes/remove-rows.ts'
import { Database, type TableSource } from '../../../../src/core/engine/data/database.ts'
import { Engine } from '../../../../src/core/engine/engine.ts'
import { joinRows } from '../../../../src/core/engine/relations/join-rows.ts'
import { foreignKey } from '../../../../src/core/engine/relations/relations.ts'
import { TrackedRead } from '../../../../src/core/engine/tracked-read.ts'
import type { Data, ListQuery, Naming, Relations, Row } from '../../../../src/core/engine/types.ts'
import { openLive } from '../../../../src/stores/live/live-data.ts'
import { countReads } from '../../../support/engine/count-reads.ts'

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

function source(data: Data = DATA, naming: Naming = NAMING): TableSource {
  return new TrackedRead({ database: Database.of(data), naming })
}

async function attach(from: TableSource, name: string, rows: readonly Row[], relations: Relations) {
  return (await joinRows(from, name, rows, relations)).toArray()
}

function draft(data: Data = DATA): Draft {
  return new Draft(Database.of(data), NAMING)
}

async function dependentsOf(
  from: Draft,
  name: string,
  row: Row,
  among: Dependents,
): Promise<ReadonlyMap<string, readonly Row[]>> {
  return (await findDependents(from, name, [row], among)).rows
}

const [one, , withoutId] = DATA.companies
const [first, second] = DATA.products

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

describe('joinRows', () => {
  it('works with another name for the id', async () => {
    const data = { posts: [{ _id: 1 }], comments: [{ _id: 7, postId: 1 }] }
    const custom = source(data, { id: '_id', foreignKeySuffix: 'Id' })
    const posts = await attach(custom, 'posts', data.posts, { embed: ['comments'], expand: [] })
    expect(posts).toEqual([{ _id: 1, comments: [{ _id: 7, postId: 1 }] }])
    const comments = await attach(custom, 'comments', data.comments, { embed: [], expand: ['post'] })
    expect(comments).toEqual([{ _id: 7, postId: 1, post: { _id: 1 } }])
  })

  it('leaves rows that are no objects alone', async () => {
    const odd = [null, 'text', 5, [1]]
    const rows = await attach(source(), 'companies', odd as unknown as Row[], {
      embed: ['products'],
      expand: [],
    })
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
    const tooLong = [a, b].some((value) => String(value).length > 16_000)
    return !tooLong && a !== null && b !== null && String(a) === String(b)
  }

  const data = () => ({ parents: PARENTS.slice(), children: CHILDREN.slice() })
  const ENGINES: [string, () => Engine][] = [
    ['an engine', () => new Engine(data(), NAMING)],
    ['an object that others hold', () => openLive({ data: data() }, NAMING)],
    ['a fork', () => new Engine(data(), NAMING).fork(1)],
  ]

  it.each(ENGINES)('are found by odd keys as by others: %s', async (_, open) => {
    const from = new TrackedRead(open())
    const embed = { embed: ['children'], expand: [] }
    for (const [at, row] of (await attach(from, 'parents', PARENTS, embed)).entries()) {
      const children = CHILDREN.filter((child) => isSame(child.parent_id, PARENTS[at]?.id))
      expect(row).toEqual({ ...PARENTS[at], children })
    }
    const expand = { embed: [], expand: ['parent'] }
    for (const count of [CHILDREN.length, 3]) {
      const some = CHILDREN.slice(0, count)
      for (const [at, row] of (await attach(from, 'children', some, expand)).entries()) {
        const parent = PARENTS.find(({ id }) => isSame(id, some[at]?.parent_id))
        expect(row).toEqual(parent ? { ...some[at], parent } : some[at])
      }
    }
  })

  it('do not have every child read for every parent, and once there is an index, none but those found', async () => {
    const children = countReads(CHILDREN, 'parent_id')
    const from = draft({ parents: PARENTS, children: children.rows })
    await attach(from, 'parents', PARENTS, { embed: ['children'], expand: [] })
    expect(children.reads).toBeLessThan(10 * CHILDREN.length)
    children.reads = 0
    await findDependents(from, 'parents', [{ id: 11 }], 'all')
    expect(children.reads).toBeLessThan(10)
  })

  it('that several rows have in common are found once', async () => {
    const twins = Array.from({ length: 50 }, () => ({ id: 1 }))
    const data = { parents: twins, children: Array.from({ length: 100 }, () => ({ parent_id: 1 })) }
    const rows = await attach(source(data), 'parents', twins, { embed: ['children'], expand: [] })
    expect(new Set(rows.map(({ children }) => children)).size).toBe(1)
  })
})

describe('dependentsOf', () => {
  it('finds what depends on a row, directly and through others, and goes in no circle', async () => {
    expect(await dependentsOf(draft(), 'companies', one ?? {}, 'all')).toEqual(
      new Map<string, Row[]>([
        ['products', [first ?? {}, second ?? {}]],
        ['reviews', [DATA.reviews[0] ?? {}, DATA.reviews[1] ?? {}]],
      ]),
    )
  })

  it('looks only into the collections that are named', async () => {
    const among = async (names: readonly string[]) => [
      ...(await dependentsOf(draft(), 'companies', one ?? {}, names)).keys(),
    ]
    expect(await among(['products'])).toEqual(['products'])
    expect(await among(['reviews', 'nope', 'profile'])).toEqual([])
  })

  it('never takes the row itself, nor rows that point elsewhere or nowhere', async () => {
    const data = { nodes: [{ id: 1, node_id: 1 }, { id: 2, node_id: 1 }, { id: 3, node_id: 9 }, { id: 4 }] }
    const [root, child] = data.nodes
    expect(await dependentsOf(draft(data), 'nodes', root ?? {}, 'all')).toEqual(new Map([['nodes', [child]]]))
    expect(await dependentsOf(draft(), 'companies', withoutId ?? {}, 'all')).toEqual(new Map())
  })
})

describe('pages sorted by a field of the parent', () => {
  // Numbers and other strings compare in circles.
  const PRICES = [3, 'n/a', 1, null, 'x', 2, '10', undefined]
  const products = Array.from({ length: 120 }, (_, at) => ({
    id: at + 1,
    company_id: (at * 7) % 13,
    price: PRICES[(at * 5) % PRICES.length],
  }))
  const companies = Array.from({ length: 9 }, (_, at) => ({ id: at, name: `Name ${at % 4}` }))
  const engine = new Engine({ products, companies }, NAMING)

  it.each([
    [['company.name']],
    [['-company.name']],
    [['company.name', '-price']],
    [['-company.name', 'price', 'company.id']],
  ])('have every row once, in the order of the whole list: %s', async (names) => {
    const sort = names.map((name) => ({
      path: name.replace('-', ''),
      order: name.startsWith('-') ? ('desc' as const) : ('asc' as const),
    }))
    const idsOf = async (window: ListQuery['window']) => {
      const query: ListQuery = { where: [], sort, window, embed: [], expand: ['company'] }
      const { found } = await engine.read({ kind: 'list', collection: 'products', query })
      const rows = found?.rows ?? []
      return ('toArray' in rows ? rows.toArray() : rows).map(({ id }) => id)
    }
    const whole = await idsOf({ kind: 'all' })
    for (const size of [1, 7, 50]) {
      const pages: unknown[] = []
      for (let page = 1; page <= Math.ceil(120 / size) + 1; page++)
        pages.push(...(await idsOf({ kind: 'page', page, size })))
      expect(pages).toEqual(whole)
    }
    expect(new Set(whole).size).toBe(120)
  })
})
