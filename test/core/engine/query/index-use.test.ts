import { describe, expect, it } from 'vitest'
import { Table } from '../../../../src/core/engine/data/table.ts'
import { select } from '../../../../src/core/engine/query/select.ts'
import type { Condition, ListQuery, Naming, Row, Trace, Where } from '../../../../src/core/engine/types.ts'
import type { Operator } from '../../../../src/core/kernel/catalogue/operators.ts'
import { plainSelect } from '../../../support/model/plain-select.ts'

const NAMING: Naming = { id: 'id', foreignKeySuffix: '_id' }
const SIZE = 1000
const rows = Array.from({ length: SIZE }, (_, at) => ({
  id: at + 1,
  price: at / 2,
  name: `${at % 2 ? 'Item' : 'item'} ${at}`,
  group: at % 200,
  tags: [`t${at % 250}`, 'all'],
  nested: { n: at % 400 },
  code: at % 3 ? at : `x${at}`,
}))
const is = (path: string, op: Operator, ...values: string[]): Condition => ({ path, op, values })

async function ask(where: readonly Where[], more: Partial<ListQuery> = {}, given: readonly Row[] = rows) {
  const query: ListQuery = { where, sort: [], window: { kind: 'all' }, embed: [], expand: [], ...more }
  const trace: Trace = { uses: [], examined: -1 }
  const found = await select(Table.of(given), query, NAMING.id, trace)
  expect(found).toEqual(await plainSelect(given, query, NAMING.id))
  return {
    uses: trace.uses.map(({ kind, path }) => `${kind} ${path}`),
    examined: trace.examined,
    total: found.total,
  }
}

describe('an index answers, and rows are not looked at', () => {
  it.each<[string, Where, string[], number, number]>([
    ['gt', is('price', 'gt', '499'), ['sorted price'], 0, 1],
    ['gt of several', is('price', 'gt', '499', '498'), ['sorted price'], 0, 3],
    ['lt', is('price', 'lt', '1'), ['sorted price'], 0, 2],
    ['lt on texts', is('name', 'lt', 'Item 100'), ['sorted name'], 0, 1],
    ['between', is('price', 'between', '10', '12'), ['sorted price'], 0, 5],
    ['between, several pairs', is('price', 'between', '10', '12', '11', '13'), ['sorted price'], 0, 7],
    ['in', is('group', 'in', '7', '9'), ['equality group'], 0, 10],
    ['in, by id', is('id', 'in', '3', '5', '2000'), ['id id'], 0, 2],
    ['in, among entries', is('tags', 'in', 't7', 't9'), ['entries tags'], 0, 8],
    ['in, on a nested field', is('nested.n', 'in', '7'), ['equality nested.n'], 0, 3],
    ['startsWith', is('name', 'startsWith', 'ITEM 99'), ['prefix name'], 0, 11],
    ['startsWith, several', is('name', 'startsWith', 'item 99', 'ITEM 5'), ['prefix name'], 0, 122],
    ['startsWith, of numbers', is('price', 'startsWith', '49'), ['prefix price'], 0, 22],
    ['startsWith, of several kinds', is('code', 'startsWith', 'X99'), ['prefix code'], 0, 5],
    ['like of plain text', is('name', 'like', 'ITEM 99'), ['text name'], 11, 11],
    ['contains', is('name', 'contains', 'ITEM 99'), ['text name'], 11, 11],
    ['like of anchored text', is('name', 'like', '^ITEM 99'), ['prefix name'], 11, 11],
    ['like, anchored at both ends', is('name', 'like', '^item 9$'), ['prefix name'], 111, 1],
    ['like of several starts', is('name', 'like', '^item 99', '^ITEM 5'), ['prefix name'], 122, 122],
    ['eq in an and', { and: [is('group', 'eq', '7')] }, ['equality group'], 0, 5],
    [
      'eq beside what no index knows',
      { and: [is('group', 'eq', '7'), is('name', 'endsWith', '7')] },
      ['equality group'],
      5,
      5,
    ],
    [
      'or',
      { or: [is('group', 'eq', '7'), is('price', 'lt', '1')] },
      ['equality group', 'sorted price'],
      0,
      7,
    ],
    ['or of ids', { or: [is('id', 'eq', '7'), is('id', 'eq', '9')] }, ['id id', 'id id'], 0, 2],
    [
      'or with ands',
      { or: [{ and: [is('group', 'eq', '7'), is('name', 'endsWith', '7')] }, is('price', 'lt', '1')] },
      ['equality group', 'sorted price'],
      7,
      7,
    ],
    [
      'or in or',
      { or: [{ or: [is('group', 'in', '1')] }, is('name', 'startsWith', 'item 99')] },
      ['equality group', 'prefix name'],
      0,
      16,
    ],
  ])('%s', async (_, where, uses, examined, total) => {
    expect(await ask([where])).toMatchObject({ uses, examined, total })
  })

  it('bounds of one column are one interval, and others are tested on what is left', async () => {
    const where = [is('price', 'gt', '10'), is('price', 'lt', '12'), is('name', 'contains', '3')]
    expect(await ask(where)).toMatchObject({ uses: ['sorted price'], examined: 3, total: 1 })
  })

  it('a list in the place of an id is found by its entries', async () => {
    const given = [...rows, { id: [5, 'x'] }]
    expect(await ask([is('id', 'in', '5')], {}, given)).toMatchObject({
      uses: ['entries id'],
      examined: 0,
      total: 2,
    })
    expect(await ask([is('id', 'eq', '5')], {}, given)).toMatchObject({
      uses: ['id id'],
      examined: 0,
      total: 1,
    })
  })

  it('a sort by the column of the interval reads no more than the page', async () => {
    const sort = [{ path: 'price', order: 'desc' }] as const
    const window = { kind: 'limit', count: 3 } as const
    expect(await ask([is('price', 'gt', '100')], { sort, window })).toMatchObject({ examined: 0, total: 799 })
  })
})

describe('rows are tested one by one', () => {
  it.each<[string, Where]>([
    ['nin', is('group', 'nin', '7')],
    ['contains a line break', is('name', 'contains', 'item 99\n')],
    ['endsWith', is('name', 'endsWith', '99')],
    ['null', is('name', 'null', 'true')],
    ['not', { not: is('group', 'eq', '7') }],
    ['or with something that no index knows', { or: [is('group', 'eq', '7'), is('name', 'endsWith', '99')] }],
    ['gt on lists', is('tags', 'gt', 't99')],
    ['gt on several kinds', is('code', 'gt', '990')],
    ['startsWith on lists', is('tags', 'startsWith', 't24')],
  ])('%s', async (_, where) => {
    expect(await ask([where])).toMatchObject({ uses: [], examined: SIZE })
  })

  it('and no index is made for a part of what no index can answer', async () => {
    let reads = 0
    const given = rows.map((row) => ({
      ...row,
      get group() {
        reads++
        return row.group
      },
    }))
    const where: Where = { or: [is('group', 'eq', '7'), is('name', 'endsWith', '99')] }
    const query: ListQuery = { where: [where], sort: [], window: { kind: 'all' }, embed: [], expand: [] }
    await select(Table.of(given), query, NAMING.id)
    expect(reads).toBeLessThan(SIZE + 10)
  })
})
