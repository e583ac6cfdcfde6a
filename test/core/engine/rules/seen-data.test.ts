import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RowChange } from '../../../../src/core/engine/change.ts'
import { Engine } from '../../../../src/core/engine/engine.ts'
import type { Question } from '../../../../src/core/engine/question.ts'
import type { Access, ParentKey } from '../../../../src/core/engine/rules/rights.ts'
import type { Data, ListQuery, Row } from '../../../../src/core/engine/types.ts'
import { openLive } from '../../../../src/stores/live/live-data.ts'
import { countReads } from '../../../support/engine/count-reads.ts'
import { accessWith, type Reach } from '../../../support/engine/view-with.ts'
import { runs } from '../../../support/length.ts'
import { query, write } from '../../../support/model/random-table.ts'

/*
 * Reading through a view is reading a database that has only the rows one may see: whatever is asked, the answer must be
 * that of a plain engine with those rows.
 */

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }
const USERS = ['1', '2', '3']

function dataWith(count: number, seed: number): Data {
  const pick = (at: number, of: number) => (at * 7 + seed + ((at * at) % 5)) % of
  const owner = (at: number): Row => {
    const user = pick(at, 5)
    // A number, a text, null, nothing.
    if (user === 4) return at % 2 ? { userId: null } : {}
    return { userId: user === 2 ? '2' : user }
  }
  const rowsOf = (name: string, make: (at: number) => Row) =>
    Array.from({ length: count }, (_, at) => ({ id: at + 1, ...make(at), ...owner(at + name.length) }))
  return {
    users: USERS.map((id) => ({ id: Number(id), text: `u${id}` })),
    groups: rowsOf('groups', (at) => ({
      text: 'ab'.slice(0, at % 3),
      number: at % 4,
      partId: String(pick(at, count)),
    })),
    items: rowsOf('items', (at) => ({
      ...(at % 9 === 0 && { rare: at }),
      number: pick(at, 4),
      text: ['a', 'A', 'ab', 'b c', '10'][at % 5],
      flag: at % 2 === 0,
      nested: { n: at % 3 },
      places: [{ c: at % 4 }],
      groupId: pick(at, count + 2),
      tagIds: [1 + pick(at, 9), 1 + pick(at + 1, 9)],
      ...(at % 11 === 0 && { groupsIds: [] }),
    })),
    parts: rowsOf('parts', (at) => ({ itemId: 1 + pick(at, count), text: at % 2 ? 'a' : 'b' })),
    tags: rowsOf('tags', (at) => ({ text: `t${at % 3}` })),
    profile: { name: 'mine', userId: 1 },
    hidden: [],
    $schema: 'x',
  }
}

/** The first three lead in a circle. */
const KEYS = {
  items: { field: 'groupId', resource: 'groups' },
  parts: { field: 'itemId', resource: 'items' },
  groups: { field: 'partId', resource: 'parts' },
  profile: { field: 'userId', resource: 'users' },
  tags: { field: 'id', resource: 'tags' },
}
const reachOf = (key: ParentKey) =>
  fc.constantFrom<Reach>('all', 'own', 'own', 'none', [key], ['own', key], ['own', key])
const said = fc.record({
  groups: reachOf(KEYS.groups),
  items: reachOf(KEYS.items),
  parts: reachOf(KEYS.parts),
  tags: reachOf(KEYS.tags),
  profile: reachOf(KEYS.profile),
  users: fc.constantFrom<Reach>('all', 'own', 'none'),
})
/** Rows that change their owner or their parent, or go. */
const moving: fc.Arbitrary<RowChange> = fc
  .record({
    collection: fc.constantFrom('groups', 'groups', 'items', 'parts', 'users'),
    id: fc.integer({ min: 1, max: 8 }).map(String),
    fields: fc.constantFrom<Row>(
      { userId: 1 },
      { userId: '2' },
      { groupId: '3', itemId: 2 },
      { partId: null },
    ),
    isGone: fc.nat({ max: 3 }).map((draw) => draw === 0),
  })
  .map(({ isGone, fields, ...row }) =>
    isGone ? { kind: 'remove', ...row } : { kind: 'merge', ...row, fields },
  )
const user = fc.constantFrom<string | undefined>('1', '2', '9', undefined)

function accessOf(reaches: Record<string, Reach>, who: string | undefined): Access {
  const rights = Object.entries(reaches).map(([name, read]) => [
    name,
    { read, owner: name === 'users' ? 'id' : 'userId' },
  ])
  return accessWith(Object.fromEntries(rights), who)
}

/** The slow and obvious way. */
function seen(data: Data, reaches: Record<string, Reach>, who: string | undefined): Data {
  const isSeen = (name: string, row: unknown, steps = 5): boolean => {
    const reach = reaches[name] ?? 'all'
    if (reach === 'all' || reach === 'none') return reach === 'all'
    const isAt = (field: string, id: unknown) => {
      const value = Reflect.get(Object(row), field)
      return value !== null && value !== undefined && String(value) === String(id)
    }
    return [reach].flat().some((one) => {
      if (one === 'own') return who !== undefined && isAt(name === 'users' ? 'id' : 'userId', who)
      const parents = steps > 0 && typeof one === 'object' ? Object(data[one.resource]) : []
      return parents.some(
        (parent: Row) => isAt(one.field, parent.id) && isSeen(one.resource, parent, steps - 1),
      )
    })
  }
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, part]): [string, unknown][] => {
      if (Array.isArray(part)) return [[name, part.filter((row) => isSeen(name, row))]]
      return name === '$schema' || isSeen(name, part) ? [[name, part]] : []
    }),
  )
}

const relation = fc.constantFrom(
  ...['parts', 'items', 'tags', 'group', 'item', 'user', 'groups', 'nope', 'parts.user', 'group.items'],
  ...['item.group', 'items.parts', 'tags.items', 'group.user', 'items.tags', 'hidden'],
)
const relations = fc.array(relation, { maxLength: 2 })
const parentPath = fc.constantFrom(
  'group.text',
  'item.number',
  'user.text',
  'group.number',
  'item.group.text',
  'group.nope',
)
const related: fc.Arbitrary<ListQuery> = fc
  .record({ query, embed: relations, expand: relations, path: parentPath, kind: fc.nat({ max: 3 }) })
  .map(({ query: asked, embed, expand, path, kind }) => ({
    ...asked,
    embed,
    expand,
    ...(kind === 1 && { where: [...asked.where, { path, op: 'ne' as const, values: ['a'] }] }),
    ...(kind === 2 && { where: [{ path, op: 'eq' as const, values: ['a', '1'] }] }),
    ...(kind === 3 && { sort: [{ path, order: 'desc' as const }] }),
  }))
const collection = fc.constantFrom('items', 'items', 'groups', 'parts', 'tags', 'users')
const question: fc.Arbitrary<Question> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('list' as const), collection, query: related }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('explain' as const), collection, query: related }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('item' as const),
      collection,
      id: fc.integer({ min: 1, max: 90 }).map(String),
      relations: fc.record({ embed: relations, expand: relations }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('item' as const),
      collection: fc.constant('items'),
      id: fc.integer({ min: 1, max: 30 }).map(String),
      within: fc.record({ key: fc.constant('groupId'), id: fc.constantFrom('1', '2', '3') }),
    }),
  },
  fc.record({ kind: fc.constant('fields' as const), collection }),
  fc.record({
    kind: fc.constant('keyed' as const),
    collection,
    field: fc.constant('text'),
    text: fc.constantFrom('a', 'A', 'AB', 'T1', 'u2', 'zz'),
  }),
  fc.constant<Question>({ kind: 'database' }),
  fc.constant<Question>({ kind: 'object', name: 'profile' }),
)

/** What is found, or why nothing is. How it was found is told apart. */
async function answer(engine: Engine, asked: Question, access?: Access): Promise<unknown> {
  try {
    const { found } = await engine.read(asked, { access })
    const { rows, plan, ...head } = Object(found)
    if (plan) return { ...head, matched: plan.matched }
    if (asked.kind === 'list' && rows)
      return { ...head, rows: 'toArray' in rows ? rows.toArray() : rows.slice() }
    return found
  } catch (error) {
    return { code: Reflect.get(Object(error), 'code') }
  }
}

/** A resource of which nothing may be read is left out of the whole. */
function expectedOf(asked: Question, found: unknown, reaches: Record<string, Reach>): unknown {
  if (asked.kind !== 'database') return found
  return Object.fromEntries(Object.entries(Object(found)).filter(([name]) => reaches[name] !== 'none'))
}

const ENGINES: [string, (data: Data) => Engine][] = [
  ['of its own data', (data) => new Engine(data, NAMING)],
  ['of live data', (data) => openLive({ data }, NAMING)],
  ['of a fork', (data) => new Engine(data, NAMING).fork(1)],
]

describe.each(ENGINES)('what a client finds in an engine %s', (_, open) => {
  it('is what it would find if the rows were not there that it may not read', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(6, 80),
        fc.nat({ max: 20 }),
        said,
        user,
        fc.array(fc.tuple(question, fc.option(write, { nil: undefined, freq: 2 })), {
          minLength: 1,
          maxLength: 8,
        }),
        async (count, seed, reaches, who, steps) => {
          const data = dataWith(count, seed)
          const engine = open(structuredClone(data))
          const access = accessOf(reaches, who)
          for (const [asked, change] of steps) {
            if (change) await engine.write(change).catch(() => {})
            const { found: all } = await engine.read({ kind: 'database' })
            const model = new Engine(structuredClone(seen(all, reaches, who)), NAMING)
            const expected = expectedOf(asked, await answer(model, asked), reaches)
            expect(await answer(engine, asked, access)).toEqual(expected)
          }
        },
      ),
      runs(30),
    )
  })
})

it('what a client finds follows the owners and parents of rows', async () => {
  const engine = new Engine({}, NAMING)
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(6, 12),
      fc.nat({ max: 20 }),
      said,
      user,
      fc.array(moving, { minLength: 4, maxLength: 12 }),
      async (count, seed, reaches, who, changes) => {
        await engine.write({ kind: 'replace-database', data: dataWith(count, seed) })
        const access = accessOf(reaches, who)
        for (const change of changes) {
          const { found: all } = await engine.read({ kind: 'database' })
          const { found } = await engine.read({ kind: 'database' }, { access })
          expect(found).toEqual(expectedOf({ kind: 'database' }, seen(all, reaches, who), reaches))
          await engine.write(change)
        }
      },
    ),
    runs(60),
  )
})

it('what a client finds follows a parent whose collection came later', async () => {
  const items = [
    { id: 1, groupId: 1, partId: 9 },
    { id: 2, groupId: 9, partId: 1 },
  ]
  const engine = new Engine({ parts: [{ id: 1, userId: 7 }], items }, NAMING)
  const access = accessWith(
    {
      groups: { read: 'own' },
      parts: { read: 'own' },
      items: { read: [KEYS.items, { field: 'partId', resource: 'parts' }] },
    },
    '7',
  )
  const query: ListQuery = { where: [], sort: [], window: { kind: 'all' }, embed: [], expand: [] }
  const total = async () =>
    (await engine.read({ kind: 'list', collection: 'items', query }, { access })).found?.total
  expect(await total()).toBe(1)
  await engine.write({ kind: 'create-collection', name: 'groups' })
  await engine.write({ kind: 'insert', collection: 'groups', rows: [{ id: 1, userId: 7 }] })
  expect(await total()).toBe(2)
})

describe('the rows of one user among 20,000', () => {
  const ROWS = 20_000
  const orders = countReads(
    Array.from({ length: ROWS }, (_, at) => ({
      id: at + 1,
      number: at % 7,
      kind: `k${at}`,
      userId: at % 200,
    })),
    'userId',
  )
  const bare = Array.from({ length: ROWS }, (_, at) => ({ id: at + 1, number: at % 7 }))
  const engine = new Engine({ orders: orders.rows, bare }, NAMING)
  const accessOfUser = (who: number) =>
    accessWith({ orders: { read: 'own' }, bare: { read: 'own' } }, String(who))
  const ALL: ListQuery = { where: [], sort: [], window: { kind: 'all' }, embed: [], expand: [] }

  async function explained(asked: Partial<ListQuery>, of = 'orders', access = accessOfUser(7)) {
    const { found } = await engine.read(
      { kind: 'explain', collection: of, query: { ...ALL, ...asked } },
      { access },
    )
    return found?.plan
  }

  it.each<[string, Partial<ListQuery>, number]>([
    ['all of them', {}, 100],
    ['those that pass a filter', { where: [{ path: 'number', op: 'ne', values: ['3'] }] }, 86],
    ['those that contain a text', { search: 'k2' }, 6],
    ['those that are sorted', { sort: [{ path: 'number', order: 'desc' }] }, 100],
    ['those that have an id', { where: [{ path: 'id', op: 'eq', values: ['8', '9'] }] }, 1],
  ])('are examined, and none of others: %s', async (_, asked, matched) => {
    const plan = await explained(asked)
    expect(plan?.examined).toBeLessThanOrEqual(100)
    expect(plan?.matched).toBe(matched)
  })

  it('are found through an index that is kept, for any user and after writes', async () => {
    await explained({})
    orders.reads = 0
    for (const who of [8, 9, 10])
      expect(await explained({}, 'orders', accessOfUser(who))).toMatchObject({ matched: 100 })
    expect(orders.reads).toBeLessThan(1000)
    for (const id of ['8', '1009']) {
      orders.reads = 0
      await engine.write({ kind: 'merge', collection: 'orders', id, fields: { number: 3 } })
      for (const who of [7, 8])
        expect(await explained({}, 'orders', accessOfUser(who))).toMatchObject({ matched: 100 })
      expect(orders.reads).toBeLessThan(50)
    }
    await engine.write({ kind: 'merge', collection: 'orders', id: '8', fields: { userId: 8 } })
    expect(await explained({}, 'orders', accessOfUser(7))).toMatchObject({ matched: 99 })
    expect(await explained({}, 'orders', accessOfUser(8))).toMatchObject({ matched: 101 })
  })

  it('are found through an index by their parents, and again after writes to either', async () => {
    const boxed = countReads(
      bare.map(({ id }) => ({ id, boxId: id % 200 })),
      'boxId',
    )
    const boxes = Array.from({ length: 200 }, (_, at) => ({ id: at, userId: at % 20 }))
    const inBoxes = new Engine({ boxes, boxed: boxed.rows }, NAMING)
    const below = [{ field: 'boxId', resource: 'boxes' }]
    const access = accessWith({ boxes: { read: 'own' }, boxed: { read: below } }, '7')
    const count = async () => {
      boxed.reads = 0
      const asked = { kind: 'list', collection: 'boxed', query: ALL } as const
      return (await inBoxes.read(asked, { access })).found?.total
    }
    expect(await count()).toBe(1000)
    await inBoxes.write({ kind: 'merge', collection: 'boxes', id: '7', fields: { userId: 8 } })
    expect([await count(), boxed.reads]).toEqual([900, 100])
    await inBoxes.write({ kind: 'merge', collection: 'boxes', id: '27', fields: { name: 'x' } })
    expect([await count(), boxed.reads]).toEqual([900, 0])
    await inBoxes.write({ kind: 'merge', collection: 'boxed', id: '27', fields: { boxId: 28 } })
    expect(await count()).toBe(899)
    expect(boxed.reads).toBeLessThan(10)
  })

  it('are none where no row has an owner', async () => {
    expect(await explained({}, 'bare')).toMatchObject({ examined: 0, matched: 0 })
  })
})
