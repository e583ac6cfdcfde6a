import { describe, expect, it } from 'vitest'
import { Table } from '../../../../src/core/engine/data/table.ts'
import { decide } from '../../../../src/core/engine/query/decide.ts'
import type { Condition, Ignored, ListQuery, SortKey } from '../../../../src/core/engine/types.ts'

const ALL: ListQuery = { where: [], sort: [], window: { kind: 'all' }, embed: [], expand: [] }

function run(asked: Partial<ListQuery>, fields: readonly string[], hasRows = true) {
  const table = Table.of(hasRows ? [{}] : [])
  return decide({ ...ALL, ...asked }, { table, id: 'id', isDeclared: (path) => fields.includes(path) })
}

const priceGt: Condition = {
  path: 'price_gt',
  op: 'eq',
  values: ['1'],
  orElse: { path: 'price', op: 'gt', values: ['1'] },
}
const between: Condition = {
  path: 'price:between',
  op: 'eq',
  values: ['1'],
  orElse: { path: 'price', op: 'between', values: [], unread: ['1'] },
}

describe('a condition', () => {
  it.each<[string, Condition, readonly string[], Condition | undefined, readonly Ignored[]]>([
    [
      'is a field where a row has one of that name',
      priceGt,
      ['price', 'price_gt'],
      { path: 'price_gt', op: 'eq', values: ['1'], required: true },
      [],
    ],
    [
      'is an operator where a row has the field before it',
      priceGt,
      ['price'],
      { path: 'price', op: 'gt', values: ['1'], required: true },
      [],
    ],
    ['is ignored where there is neither', priceGt, ['id'], undefined, [unknown('price_gt')]],
    [
      'is ignored where its value makes no sense',
      between,
      ['price'],
      undefined,
      [{ name: 'price:between', reason: 'unreadable value', detail: '1' }],
    ],
    [
      'keeps the values that do',
      { ...between, orElse: { path: 'price', op: 'between', values: ['2', '3'], unread: ['1'] } },
      ['price'],
      { path: 'price', op: 'between', values: ['2', '3'], required: true },
      [{ name: 'price:between', reason: 'unreadable value', detail: '1' }],
    ],
    [
      'by ids asks for the id',
      { path: 'ids', op: 'eq', values: ['1'] },
      ['id'],
      { path: 'id', op: 'eq', values: ['1'], required: true },
      [],
    ],
    [
      'that is required holds',
      { path: 'a', op: 'eq', values: [], required: true },
      [],
      { path: 'a', op: 'eq', values: [], required: true },
      [],
    ],
    [
      'of json-server 0.17.4 holds',
      { path: 'a', op: 'gte', values: ['1'] },
      [],
      { path: 'a', op: 'gte', values: ['1'] },
      [],
    ],
    [
      'with a new operator and nothing else to mean needs its field',
      { path: 'a', op: 'null', values: ['true'] },
      [],
      undefined,
      [unknown('a')],
    ],
    [
      'by an id that no row has is not worth a word',
      { path: 'id', op: 'eq', values: ['1'] },
      [],
      undefined,
      [],
    ],
  ])('%s', async (_, asked, fields, condition, ignored) => {
    const decided = await run({ where: [asked] }, fields)
    expect(decided.query.where).toEqual(condition ? [condition] : [])
    expect(decided.ignored).toEqual(ignored)
    expect((await run(decided.query, fields)).query).toEqual(decided.query)
  })

  it('is never ignored where there are no rows', async () => {
    expect((await run({ where: [priceGt, between] }, [], false)).ignored).toEqual([])
  })
})

describe('a leading minus', () => {
  it.each<[string, readonly string[], readonly SortKey[], readonly SortKey[]]>([
    ['sorts down', ['price'], [asc('-price'), asc('name')], [desc('price'), asc('name')]],
    ['sorts down whatever the order says', [], [desc('-price')], [desc('price')]],
    ['belongs to a field that is there', ['-price'], [asc('-price')], [asc('-price')]],
    ['may come to a key that is there', [], [asc('price'), asc('-price')], [asc('price')]],
    ['alone is a name', [], [asc('-')], [asc('-')]],
  ])('%s', async (_, fields, sort, decided) => {
    expect((await run({ sort }, fields)).query.sort).toEqual(decided)
  })
})

function unknown(name: string): Ignored {
  return { name, reason: 'unknown field' }
}

function asc(path: string): SortKey {
  return { path, order: 'asc' }
}

function desc(path: string): SortKey {
  return { path, order: 'desc' }
}
