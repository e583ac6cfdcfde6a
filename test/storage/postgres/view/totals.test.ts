import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Change } from '../../../../src/storage/change.ts'
import { LocalEngine } from '../../../../src/storage/local/local-engine.ts'
import { Connection } from '../../../../src/storage/postgres/link/connection.ts'
import { Pipelines } from '../../../../src/storage/postgres/link/pipelines.ts'
import { openPostgres, type PostgresEngine } from '../../../../src/storage/postgres/postgres-engine.ts'
import type { ListQuery, Window } from '../../../../src/storage/types.ts'
import { freshAddress, hasPostgres, SKIPPED } from '../../../support/postgres/cluster.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }
const PAGE = { sort: [], window: { kind: 'all' }, embed: [], expand: [] } as const
const items = Array.from({ length: 6000 }, (_, at) => ({
  id: at + 1,
  price: at % 10,
  name: `Chair ${at}`,
  tags: [`Tag ${at % 3}`, 'all'],
}))

/** PostgreSQL decides the first two alone, and JavaScript looks at what it leaves of the others. */
const FILTERS: readonly [string, Pick<ListQuery, 'where' | 'search'>][] = [
  ['a range', { where: [{ path: 'price', op: 'between', values: ['2', '7'] }] }],
  ['a search', { where: [], search: 'chair 5' }],
  ['an entry of a list', { where: [{ path: 'tags', op: 'contains', values: ['ALL'] }] }],
  ['a pattern', { where: [{ path: 'name', op: 'like', values: ['r [1-4]'] }] }],
]

const WINDOWS: readonly Window[] = [
  { kind: 'page', page: 2, size: 10 },
  { kind: 'envelope', page: 10_000, size: 7 },
  { kind: 'slice', start: -3 },
  { kind: 'slice', start: 100, end: 50 },
  { kind: 'limit', count: 5 },
  { kind: 'all' },
]

describe.skipIf(!hasPostgres)(`Totals of a filter${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  let address: string
  let engine: PostgresEngine
  let local: LocalEngine
  beforeAll(async () => {
    address = await freshAddress()
    engine = await openPostgres(address, { ...naming, sample: () => ({ items }) })
    local = new LocalEngine(structuredClone({ items }), naming)
  })
  afterAll(() => engine.close())

  const ask = async (of: PostgresEngine | LocalEngine, query: Partial<ListQuery>) =>
    (await of.read({ kind: 'list', collection: 'items', query: { where: [], ...PAGE, ...query } })).found

  it.each(FILTERS)('are counted once for %s: other pages look at less', async (_, filter) => {
    const sent = [vi.spyOn(Connection.prototype, 'query'), vi.spyOn(Pipelines.prototype, 'ask')] as const
    const effort = async (window: Window) => {
      for (const spy of sent) spy.mockClear()
      expect(await ask(engine, { ...filter, window })).toEqual(await ask(local, { ...filter, window }))
      const texts = sent.flatMap(({ mock }) => mock.calls.map(([one]) => JSON.stringify(one)))
      return texts.filter((text) => /count\(\*\)|FETCH/.test(text)).length
    }
    const first = await effort({ kind: 'page', page: 1, size: 10 })
    const second = await effort({ kind: 'page', page: 2, size: 10 })
    expect(first).toBeGreaterThan(0)
    expect(second).toBeLessThan(first)
    for (const spy of sent) spy.mockRestore()
  })

  it.each(FILTERS)('give the same pages of %s whether they are known or not', async (_, filter) => {
    for (const known of [false, true]) {
      for (const window of WINDOWS) {
        for (const sort of [[], [{ path: 'name', order: 'desc' } as const]]) {
          const query = { ...filter, window, sort }
          expect(await ask(engine, query), JSON.stringify({ window, known })).toEqual(await ask(local, query))
        }
      }
      if (!known) await write(engine, { kind: 'insert', collection: 'items', rows: [{ price: 5 }] })
    }
  })

  it.each(FILTERS)('of %s are those of now, whoever writes', async (_, filter) => {
    const other = await openPostgres(address, { ...naming, sample: () => ({}) })
    const row = { price: 5, name: 'Chair 55 or 14', tags: ['all'] }
    for (const writer of [engine, other, engine, other]) {
      const before = (await ask(engine, filter))?.total ?? Number.NaN
      await write(writer, { kind: 'insert', collection: 'items', rows: [row] })
      expect((await ask(engine, filter))?.total).toBe(before + 1)
      expect((await ask(other, filter))?.total).toBe(before + 1)
    }
    expect(await ask(engine, filter)).toEqual(await ask(local, filter))
    await other.close()
  })

  it.each([
    ['', []],
    [', sorted', [{ path: 'name', order: 'asc' }]],
    [', sorted by what many have in common', [{ path: 'price', order: 'desc' }]],
  ] as const)('lead to a page from the end that is nearer%s', async (_, sort) => {
    // So that places do not follow from positions.
    await write(engine, { kind: 'remove', collection: 'items', id: '3000' })
    // Whatever is missing stands at one end.
    await write(engine, { kind: 'insert', collection: 'items', rows: [{ price: 4 }, { name: 'No price' }] })
    const sent = vi.spyOn(Pipelines.prototype, 'ask')
    for (const where of [[], FILTERS[0]?.[1].where ?? []]) {
      const passed = (await ask(engine, { where, sort, window: { kind: 'limit', count: 1 } }))?.total ?? 0
      sent.mockClear()
      for (const start of [passed - 3, passed - 100, Math.ceil(passed / 2) + 1, 7]) {
        const query = { where, sort, window: { kind: 'slice', start, end: start + 10 } } as const
        expect(await ask(engine, query)).toEqual(await ask(local, query))
      }
      const skips = sent.mock.calls.map(([{ values }]) => values?.at(-1))
      expect(skips).toEqual([0, 90, expect.toSatisfy((skip) => skip < passed / 2), 7])
    }
    sent.mockRestore()
  })

  it('of fields that are hidden by now are forgotten', async () => {
    const filter: Partial<ListQuery> = {
      where: [{ path: 'name', op: 'contains', values: ['chair 5'], required: true }],
    }
    expect((await ask(engine, filter))?.total).toBeGreaterThan(100)
    engine.useRules?.({ resources: new Map([['items', { hidden: ['name'] }]]), now: () => new Date() })
    expect((await ask(engine, filter))?.total).toBe(0)
    engine.useRules?.(undefined)
    expect(await ask(engine, filter)).toEqual(await ask(local, filter))
  })

  async function write(to: PostgresEngine, change: Change): Promise<void> {
    await to.write(change)
    await local.write(change)
  }
})
