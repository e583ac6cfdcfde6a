import fc from 'fast-check'
import _ from 'lodash'
import { describe, expect, it } from 'vitest'
import { Table } from '../../../../src/core/engine/data/table.ts'
import { select } from '../../../../src/core/engine/query/select.ts'
import type { Condition, ListQuery, Row } from '../../../../src/core/engine/types.ts'
import type { Operator } from '../../../../src/core/kernel/catalogue/operators.ts'
import { runs } from '../../../support/length.ts'
import { plainSelect } from '../../../support/model/plain-select.ts'

/** What a query finds, by `select` and by a plain scan: they must agree. */
async function run(given: readonly unknown[], query: Partial<ListQuery>, id = 'id') {
  const rows = given as readonly Row[]
  const whole: ListQuery = { where: [], sort: [], window: { kind: 'all' }, embed: [], expand: [], ...query }
  const selection = await select(Table.of(rows), whole, id)
  // What is undefined is null, as in JSON.
  const plain = await plainSelect(
    Array.from(rows, (row) => row ?? (null as unknown as Row)),
    whole,
    id,
  )
  expect({ ...selection, items: [] }).toEqual({ ...plain, items: [] })
  expect(selection.items).toHaveLength(plain.items.length)
  for (const [at, item] of selection.items.entries()) expect(item).toBe(plain.items[at])
  return selection
}

async function idsWhere(
  rows: readonly unknown[],
  path: string,
  op: Operator,
  ...values: string[]
): Promise<unknown[]> {
  return (await run(rows, { where: [{ path, op, values }] })).items.map((row) => row.id)
}

const ROWS = [
  { id: 1, name: 'Anna', age: 30, tags: ['a', 'b'], ok: true, at: '2024-01-01', 'x.y': 'literal' },
  { id: 2, name: 'bob', age: 9, tags: ['b'], ok: false, at: '2024-02-01', x: { y: 'nested' } },
  { id: 3, name: '', age: null, tags: [], at: '2025-01-01', places: [{ city: 'Rome' }, { city: 'Oslo' }] },
  { id: '4', age: '10', places: [{ city: 'Paris', n: 5 }, [{ city: 'Bern' }]], big: { constructor: 'own' } },
]

describe('conditions', () => {
  it.each<[string, Operator, string[], unknown[]]>([
    ['id', 'eq', ['1'], [1]],
    ['id', 'eq', ['4'], ['4']],
    ['id', 'eq', ['1', '3', '4'], [1, 3, '4']],
    ['id', 'eq', ['1.0', '01', '1e0'], []],
    ['id', 'eq', [], []],
    ['ok', 'eq', ['true'], [1]],
    ['age', 'eq', ['null'], []],
    ['age', 'eq', ['10'], ['4']],
    ['name', 'eq', [''], [3]],
    ['tags', 'eq', ['a'], []],
    ['tags', 'eq', ['a,b'], [1]],
    ['tags', 'like', ['B'], [1, 2]],
    ['tags.0', 'eq', ['b'], [2]],
    ['tags.length', 'eq', ['0'], [3]],
    ['tags.length', 'gte', ['1'], [1, 2]],
    ['x.y', 'eq', ['literal'], [1]],
    ['x.y', 'eq', ['nested'], [2]],
    ['x', 'eq', ['[object Object]'], [2]],
    ['age', 'gte', ['10'], [1, '4']],
    ['age', 'lte', ['9'], [2, '4']],
    ['age', 'gte', [''], [1, 2, '4']],
    ['age', 'gte', ['x'], []],
    ['age', 'gte', ['100', '30'], [1]],
    ['ok', 'gte', ['0'], [1, 2]],
    ['at', 'gte', ['2024-02'], [2, 3]],
    ['at', 'lte', ['2024-02'], [1]],
    ['tags', 'gte', ['b'], [2]],
    ['name', 'ne', ['Anna'], [2, 3]],
    ['name', 'ne', ['Anna', 'bob'], [3]],
    ['name', 'ne', [], [1, 2, 3]],
    ['age', 'ne', ['9'], [1, '4']],
    ['name', 'like', ['^a', 'B$'], [1, 2]],
    ['name', 'like', [''], [1, 2, 3]],
    ['age', 'like', ['0$'], [1, '4']],
    ['places.city', 'eq', ['Rome'], [3]],
    ['places.city', 'eq', ['Bern'], ['4']],
    ['places.city', 'like', ['r'], [3, '4']],
    ['places.n', 'gte', ['5'], ['4']],
    ['places.1.city', 'eq', ['Oslo'], [3]],
    ['places.city', 'ne', ['Rome'], ['4']],
    ['places.city', 'ne', ['Nowhere'], [3, '4']],
    ['nope', 'like', ['x'], []],
    ['nope', 'ne', ['x'], []],
    ['nope', 'gte', ['0'], []],
    ['', 'like', ['x'], []],
  ])('%s %s %j', async (path, op, values, ids) => {
    expect(await idsWhere(ROWS, path, op, ...values)).toEqual(ids)
  })

  it.each(['nope', 'nope.deep', 'places.nope', 'x.y.z', ''])(
    'ignores eq on %j, which no row has',
    async (path) => {
      expect(await idsWhere(ROWS, path, 'eq', 'x')).toHaveLength(ROWS.length)
    },
  )

  it('does not ignore eq on a path that is there with null', async () => {
    expect(await idsWhere([{ id: 1, a: null }, { id: 2 }], 'a', 'eq', 'x')).toEqual([])
  })

  it('never ignores a condition that is required', async () => {
    const where: Condition[] = [{ path: 'company_id', op: 'eq', values: ['1'], required: true }]
    expect(await run(ROWS, { where })).toEqual({ items: [], total: 0, window: { kind: 'all' } })
  })

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'name.length.constructor', 'tags.map'])(
    'what rows inherit is no data: %s',
    async (path) => {
      expect(await idsWhere(ROWS, path, 'like', '')).toEqual([])
      expect(await idsWhere(ROWS, path, 'ne', 'x')).toEqual([])
      expect(await idsWhere(ROWS, path, 'eq', 'x')).toHaveLength(ROWS.length)
    },
  )

  it('finds fields of their own by such names', async () => {
    expect(await idsWhere(ROWS, 'big.constructor', 'eq', 'own')).toEqual(['4'])
    const rows = JSON.parse('[{"id":1,"__proto__":"x"},{"id":2}]')
    expect(await idsWhere(rows, '__proto__', 'eq', 'x')).toEqual([1])
  })

  it('takes ids for id where no row has such a field', async () => {
    expect(await idsWhere(ROWS, 'ids', 'eq', '1', '4')).toEqual([1, '4'])
    expect(await idsWhere([{ id: 1, ids: 'x' }, { id: 2 }], 'ids', 'eq', 'x')).toEqual([1])
    const custom = await run(
      [{ _id: 1 }, { _id: 2 }],
      { where: [{ path: 'ids', op: 'eq', values: ['2'] }] },
      '_id',
    )
    expect(custom.items).toEqual([{ _id: 2 }])
  })

  it('never throws, whatever a row is', async () => {
    let deep: unknown = { city: 'x' }
    for (let level = 0; level < 20_000; level += 1) deep = [deep]
    const odd = [
      null,
      undefined,
      'text',
      5,
      true,
      [],
      [{ id: 1 }],
      { id: { toString: 1 } },
      { id: deep },
      Object.create(null),
    ]
    // So many that indexes are used.
    const many = [...odd, ...Array.from({ length: 70 }, (_none, id) => ({ id, a: { b: id % 3 } }))]
    for (const op of ['eq', 'ne', 'gte', 'lte', 'like'] as const) {
      for (const path of ['id', 'id.city', 'a.b', '', 'length', '0']) {
        const where = [{ path, op, values: ['1', 'x'] }]
        for (const rows of [odd, many]) await run(rows, { where, sort: [{ path, order: 'desc' }] })
      }
    }
    for (const rows of [odd, many]) await run(rows, { search: 'x' })
  })
})

describe('search', () => {
  it.each<[string, unknown, boolean]>([
    ['ann', { a: 'Anna' }, true],
    ['a', { anna: 'x' }, false],
    ['rome', { a: [{ b: { c: ['In ROME'] } }] }, true],
    ['12', { a: 3.125 }, true],
    ['0', { a: 0 }, false],
    ['0', { a: 10 }, true],
    ['false', { a: false }, false],
    ['true', { a: true }, true],
    ['1e+21', { a: 1e21 }, true],
    ['null', { a: null }, false],
    ['a', 'a text for a row', true],
    ['a', null, false],
  ])('%j in %j: %s', async (search, row, isFound) => {
    expect((await run([row], { search })).total).toBe(isFound ? 1 : 0)
  })
})

describe('sort', () => {
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: -3, max: 12 }) },
    { weight: 4, arbitrary: fc.constantFrom('', 'a', 'B', '10', '9', 'é', '-1') },
    fc.constantFrom(null, true, false, Number.POSITIVE_INFINITY, -0),
    fc.constantFrom<unknown>([], [1, 2], ['a'], {}, { a: 1 }),
  )
  const row = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record(
        { a: value, b: fc.record({ c: value }), 'b.c': value },
        { requiredKeys: [], noNullPrototype: true },
      ),
    },
    fc.constantFrom<unknown>(null, 'text', 5, []),
  )
  const key = fc.record({
    path: fc.constantFrom('a', 'b.c', 'b["c"]', 'nope', ''),
    order: fc.constantFrom('asc', 'desc'),
  })

  it('puts rows in the order of lodash orderBy', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 40 }),
        fc.array(key, { maxLength: 3 }),
        async (rows, sort) => {
          const paths = sort.map(({ path }) => path)
          const orders = sort.map(({ order }) => order)
          const expected = paths.length === 0 ? rows : _.orderBy(rows, paths, orders)
          const { items } = await run(rows, { sort })
          expect(items.length).toBe(rows.length)
          for (const [index, item] of items.entries()) expect(item).toBe(expected[index])
        },
      ),
      runs(100),
    )
  })

  it('leaves the rows themselves in their order', async () => {
    const rows = [{ id: 2 }, { id: 1 }]
    expect((await run(rows, { sort: [{ path: 'id', order: 'asc' }] })).items).toEqual([{ id: 1 }, { id: 2 }])
    expect(rows).toEqual([{ id: 2 }, { id: 1 }])
  })
})

describe('select', () => {
  const field = fc.oneof(
    fc.integer({ min: -2, max: 11 }),
    fc.constantFrom('', 'a', 'Ab', '10', '2', null, true, 1.5),
  )
  const row = fc.record(
    { a: field, b: fc.record({ c: field }, { requiredKeys: [], noNullPrototype: true }) },
    { requiredKeys: [], noNullPrototype: true },
  )
  const condition = fc.record({
    path: fc.constantFrom('a', 'b.c', 'b', 'nope'),
    op: fc.constantFrom<OldOperator>('eq', 'ne', 'gte', 'lte', 'like'),
    values: fc.array(fc.constantFrom('', 'a', 'B', '10', '2', '1.5', 'true', 'null', '-1'), {
      minLength: 1,
      maxLength: 3,
    }),
  })

  it('gives what a plain filter by the rules of json-server gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 20 }),
        fc.array(condition, { maxLength: 3 }),
        fc.option(fc.constantFrom('a', '1', 'tr', '.5'), { nil: undefined }),
        async (rows, where, search) => {
          const expected = rows.filter(
            (each) =>
              where.every((one) => passes(rows, each, one)) && (search === undefined || holds(each, search)),
          )
          const { items, total } = await run(rows, { where, ...(search === undefined ? {} : { search }) })
          expect({ items, total }).toEqual({ items: expected, total: expected.length })
        },
      ),
      runs(150),
    )
  })
})

type OldOperator = 'eq' | 'ne' | 'gte' | 'lte' | 'like'

/** The rules in the plainest words. */
function passes(
  rows: readonly unknown[],
  row: unknown,
  { path, op, values }: Condition & { op: OldOperator },
): boolean {
  if (op === 'eq' && !rows.some((each) => _.has(each, path))) return true
  const value = _.get(row, path)
  if (value === undefined || value === null) return false
  switch (op) {
    case 'eq':
      return values.some((wanted) => wanted === String(value))
    case 'ne':
      return values.every((wanted) => wanted !== String(value))
    case 'gte':
      return values.some((wanted) => wanted <= value)
    case 'lte':
      return values.some((wanted) => wanted >= value)
    case 'like':
      return values.some((wanted) => new RegExp(wanted, 'i').test(String(value)))
  }
}

function holds(value: unknown, search: string): boolean {
  if (!value) return false
  if (typeof value === 'object') return Object.values(value).some((each) => holds(each, search))
  return String(value).toLowerCase().includes(search)
}
