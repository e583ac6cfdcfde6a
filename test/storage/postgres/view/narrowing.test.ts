import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Engine } from '../../../../src/storage/engine.ts'
import { LocalEngine } from '../../../../src/storage/local/local-engine.ts'
import { Connection } from '../../../../src/storage/postgres/link/connection.ts'
import { Connections } from '../../../../src/storage/postgres/link/connections.ts'
import { openPostgres, type PostgresEngine } from '../../../../src/storage/postgres/postgres-engine.ts'
import { FetchedTable } from '../../../../src/storage/postgres/view/fetched-table.ts'
import type { Condition, ListQuery, Operator } from '../../../../src/storage/types.ts'
import { freshAddress, hasPostgres, SKIPPED } from '../../../support/postgres/cluster.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }
const LAST: ListQuery = { where: [], sort: [], window: { kind: 'all' }, embed: [], expand: [] }

/** More than are tested at a time, each with a name of its own in a list, in an object and beyond the slots. */
const ROWS = 4500
const items = Array.from({ length: ROWS }, (_, at) => ({
  id: at + 1,
  name: `Sleek Chair ${at}`,
  price: at % 10,
  tags: ['common', `Tag ${at}`],
  places: [{ city: `City ${at}`, size: at }],
  'a.b': at,
  ...Object.fromEntries(Array.from({ length: 16 }, (_, slot) => [`t${slot}`, `v${slot}`])),
  beyond: `Beyond ${at}`,
}))

function where(path: string, op: Operator, ...values: string[]): Partial<ListQuery> {
  const condition: Condition = { path, op, values, required: true }
  return { where: [condition] }
}

describe.skipIf(!hasPostgres)(
  `PostgreSQL narrows down what JavaScript looks at${hasPostgres ? '' : ` (${SKIPPED})`}`,
  () => {
    let address: string
    let engine: PostgresEngine
    const local = new LocalEngine(structuredClone({ items }), naming)
    beforeAll(async () => {
      address = await freshAddress()
      engine = await openPostgres(address, { ...naming, sample: () => ({ items }) })
    })
    afterAll(() => engine.close())

    const list = async (of: Engine, query: Partial<ListQuery>) =>
      (await of.read({ kind: 'list', collection: 'items', query: { ...LAST, ...query } })).found

    it.each<[string, Partial<ListQuery>]>([
      ['an entry of a list', where('tags', 'contains', 'TAG 77')],
      ['one of several entries', where('tags', 'in', 'Tag 77', 'Tag 78')],
      ['a list as one text', where('tags', 'eq', 'common,Tag 77')],
      ['a field of an object in a list', where('places.city', 'eq', 'City 77')],
      ['a number in a list', where('places.size', 'in', '4477')],
      ['a name with a dot', where('a.b', 'eq', '4477')],
      ['a field beyond the slots', where('beyond', 'eq', 'Beyond 77')],
      ['a pattern', where('name', 'like', '^sleek.*chair 77$')],
      ['a pattern with a choice', where('name', 'like', 'chair 77$|chair 78$')],
      ['a part of a text', where('name', 'contains', 'CHAIR 447')],
      ['the start of a text', where('name', 'startsWith', 'sleek chair 447')],
      ['the end of a text', where('beyond', 'endsWith', 'd 4477')],
    ])('by %s', async (_, query) => {
      const asked = { ...LAST, ...query }
      const { found } = await engine.read({ kind: 'explain', collection: 'items', query: asked })
      expect(found?.plan.matched).toBeGreaterThan(0)
      expect(found?.plan.examined).toBeLessThan(150)
      expect(found?.plan.uses).toContainEqual({ kind: 'text', path: 'q' })
      expect(await list(engine, query)).toEqual(await list(local, query))
    })

    it.each<[string, Partial<ListQuery>]>([
      ['0, which words leave out', where('places.size', 'in', '0')],
      ['what objects are as text', where('places', 'like', 'object')],
      ['anything', where('name', 'like', '.*')],
      ['what is not', where('tags', 'nin', 'Tag 77')],
    ])('but not by %s', async (_, query) => {
      expect(await list(engine, query)).toEqual(await list(local, query))
    })

    it.each<[string, ListQuery['window'], ListQuery['sort']]>([
      ['first', { kind: 'limit', count: 10 }, []],
      ['from the middle', { kind: 'page', page: 123, size: 10 }, [{ path: 'price', order: 'desc' }]],
      ['beyond the last', { kind: 'envelope', page: 9999, size: 10 }, []],
      ['from the end', { kind: 'slice', start: -10, end: -1 }, [{ path: 'price', order: 'asc' }]],
    ])('and keeps only the rows that are asked for: %s', async (_, window, sort) => {
      const kept = vi.spyOn(FetchedTable.prototype, 'adopt')
      const query = { ...where('tags', 'contains', 'common'), window, sort }
      expect(await list(engine, query)).toEqual(await list(local, query))
      expect(kept.mock.calls.length).toBeLessThan(25)
      kept.mockRestore()
    })

    it('a few at a time where they are large', async () => {
      const large = await openPostgres(await freshAddress(), {
        ...naming,
        sample: () => ({ items: Array.from({ length: 40 }, (_, id) => ({ id, text: 'x'.repeat(400_000) })) }),
      })
      const asked = vi.spyOn(Connection.prototype, 'query')
      expect(await list(large, where('text', 'like', 'y|z'))).toMatchObject({ total: 0 })
      const answers = await Promise.all(asked.mock.results.map(({ value }) => value))
      expect(Math.max(...answers.map(({ length }) => length))).toBe(20)
      expect(answers.filter(({ length }) => length === 10)).toHaveLength(2)
      asked.mockClear()
      // Whether any row has it, only rows can tell.
      const unsure: Condition = { path: 'none[3]', op: 'eq', values: ['y'] }
      await list(large, { where: [unsure], window: { kind: 'limit', count: 1 } })
      const looks = await Promise.all(asked.mock.results.map(({ value }) => value))
      expect(looks.map(({ length }) => length).filter((length) => length >= 10)).toEqual([20, 10, 10])
      asked.mockRestore()
      await large.close()
    })

    it('and no more once nobody waits for them', async () => {
      let batches = 0
      const query = { ...LAST, ...where('tags', 'nin', 'Tag 77') }
      const isWanted = () => ++batches < 2
      await expect(
        engine.read({ kind: 'list', collection: 'items', query }, { isWanted }),
      ).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
      expect(batches).toBe(2)
    })

    it('and answers with one statement what it can decide alone', async () => {
      const transactions = vi.spyOn(Connections.prototype, 'inSnapshot')
      const queries: Partial<ListQuery>[] = [
        { window: { kind: 'page', page: 100, size: 10 } },
        { ...where('price', 'gte', '7'), sort: [{ path: 'name', order: 'desc' }] },
        { search: 'chair 77', window: { kind: 'limit', count: 3 } },
        where('price', 'eq', '77'),
      ]
      for (const query of queries) expect(await list(engine, query)).toEqual(await list(local, query))
      expect(transactions).not.toHaveBeenCalled()
      transactions.mockRestore()
    })

    it('and sees what another instance has just changed, though it was not told yet', async () => {
      const other = await openPostgres(address, { ...naming, sample: () => ({}) })
      await other.write({ kind: 'replace-database', data: { news: [{ id: 1 }] } })
      expect(await read('id', '1')).toHaveLength(1)
      await other.write({ kind: 'insert', collection: 'news', rows: [{ id: 2, fresh: 'yes' }] })
      expect(await read('fresh', 'yes')).toEqual([{ id: 2, fresh: 'yes' }])
      await other.write({ kind: 'remove', collection: 'news', id: '1' })
      expect(await read('id', '1', '2')).toEqual([{ id: 2, fresh: 'yes' }])
      await other.close()

      async function read(path: string, ...values: string[]) {
        const query = { ...LAST, ...where(path, 'eq', ...values) }
        return (await engine.read({ kind: 'list', collection: 'news', query })).found?.rows
      }
    })
  },
)
