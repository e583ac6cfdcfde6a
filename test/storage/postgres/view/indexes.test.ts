import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { StorageError } from '../../../../src/errors.ts'
import { Connections } from '../../../../src/storage/postgres/link/connections.ts'
import { openPostgres } from '../../../../src/storage/postgres/postgres-engine.ts'
import type { Data, ListQuery, Operator } from '../../../../src/storage/types.ts'
import {
  freshAddress,
  hasPostgres,
  runIn,
  SKIPPED,
  turkishAddress,
} from '../../../support/postgres/cluster.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }
const ALL: ListQuery = { where: [], sort: [], window: { kind: 'limit', count: 1 }, embed: [], expand: [] }

describe.skipIf(!hasPostgres)(`indexes in PostgreSQL${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  async function indexesAfter(rows: number, query: Partial<ListQuery>): Promise<unknown> {
    const address = await freshAddress()
    const items = Array.from({ length: rows }, (_, at) => ({
      id: at + 1,
      price: at % 7,
      name: `n${at % 3}`,
      at: [at],
    }))
    const others = Array.from({ length: 2500 }, (_, at) => ({ id: at + 1, name: `n${at % 3}` }))
    const engine = await openPostgres(address, { ...naming, sample: () => ({ items, others }) })
    for (let times = 0; times < 3; times++) {
      await engine.read({ kind: 'list', collection: 'items', query: { ...ALL, ...query } })
    }
    // They are made one after the other: once this one is there, so are all before it.
    const sort = [{ path: 'name', order: 'asc' }] as const
    await engine.read({ kind: 'list', collection: 'others', query: { ...ALL, sort } })
    await made(address, 'c2_t0')
    await engine.close()
    return await runIn(
      address,
      `SELECT array_agg(indexname::text ORDER BY 1) AS names FROM pg_indexes
       WHERE schemaname = '${schemaOf(address)}' AND indexname ~ '^c1_([nt][0-9]+|words)$'`,
    )
  }

  const schemaOf = (address: string) => /schema=(\w+)/.exec(address)?.[1]

  /** Waits until an index is there, and is or is not of any use yet. */
  async function made(address: string, index: string, isValid = true): Promise<void> {
    const look = `SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('${schemaOf(address)}.${index}')`
    // The database waits for every transaction that has begun before, those of other tests included.
    await expect.poll(() => runIn(address, look), { timeout: 45_000 }).toEqual([{ indisvalid: isValid }])
  }

  it.each<[string, Partial<ListQuery>, readonly string[] | null]>([
    [
      'what is filtered by',
      { where: [{ path: 'price', op: 'eq', values: ['3'], required: true }] },
      ['c1_n1'],
    ],
    ['what is sorted by', { sort: [{ path: 'name', order: 'desc' }] }, ['c1_t0']],
    ['words that are searched for', { search: 'n2' }, ['c1_words']],
    [
      'words that narrow down',
      { where: [{ path: 'at', op: 'in', values: ['333'], required: true }] },
      ['c1_words'],
    ],
    [
      'nothing that only JavaScript can decide',
      { where: [{ path: 'at', op: 'nin', values: ['3'], required: true }] },
      null,
    ],
    ['nothing that was not asked for', {}, null],
  ])('are made of %s', async (_, query, names) => {
    expect(await indexesAfter(2500, query)).toEqual([{ names }])
  })

  it('of words are used, whatever schema has the extension that makes them', async () => {
    const address = await turkishAddress()
    const schema = schemaOf(address)
    await runIn(address, 'CREATE SCHEMA "Else where"', 'CREATE EXTENSION pg_trgm SCHEMA "Else where"')
    const items = Array.from({ length: 2500 }, (_, at) => ({
      id: at + 1,
      name: `chair ${at} ${'x'.repeat(99)}`,
    }))
    const search = async (sample: () => Data) => {
      const engine = await openPostgres(address, { ...naming, sample })
      const query = { ...ALL, search: 'chair 77 ' }
      const { found } = await engine.read({ kind: 'list', collection: 'items', query })
      await made(address, 'c1_words')
      await engine.close()
      return found
    }
    // The first one has it made, before it is closed.
    expect(await search(() => ({ items }))).toMatchObject({ total: 1, rows: [{ id: 78 }] })
    // As if the database had stopped meanwhile.
    const itself = `indexrelid = '${schema}.c1_words'::regclass`
    await runIn(address, `UPDATE pg_index SET indisvalid = false WHERE ${itself}`)
    for (let times = 0; times < 2; times++) {
      expect(await search(() => ({ items }))).toMatchObject({ total: 1, rows: [{ id: 78 }] })
    }
    expect(await runIn(address, `SELECT indisvalid FROM pg_index WHERE ${itself}`)).toEqual([
      { indisvalid: true },
    ])
    const scans = `SELECT sum(idx_scan)::int AS scans FROM pg_stat_user_indexes
      WHERE schemaname = '${schema}' AND indexrelname = 'c1_words'`
    await vi.waitFor(async () => expect(await runIn(address, scans)).toEqual([{ scans: 1 }]), {
      timeout: 20_000,
    })
  })

  it('let questions share connections once they are there, and only such as take a moment', async () => {
    const items = Array.from({ length: 20_500 }, (_, at) => ({
      id: at,
      price: at % 7,
      name: `n${at % 5000}`,
    }))
    const engine = await openPostgres(await freshAddress(), { ...naming, sample: () => ({ items }) })
    const transactions = vi.spyOn(Connections.prototype, 'inSnapshot')
    const list = async (query: Partial<ListQuery>) => {
      transactions.mockClear()
      const { found } = await engine.read({ kind: 'list', collection: 'items', query: { ...ALL, ...query } })
      return { total: found?.total, transactions: transactions.mock.calls.length }
    }
    const where = (path: string, op: Operator, value: string, window: ListQuery['window'] = ALL.window) => ({
      where: [{ path, op, values: [value], required: true }],
      window,
    })
    const all = { kind: 'all' } as const
    for (const [query, total] of [
      [where('name', 'eq', 'n77', all), 5],
      [{ ...where('price', 'gte', '6'), sort: [{ path: 'name', order: 'desc' }] }, 2928],
      [{ search: 'n4999' }, 4],
    ] as const) {
      expect(await list(query)).toEqual({ total, transactions: 1 })
      await expect.poll(() => list(query), { timeout: 20_000 }).toEqual({ total, transactions: 0 })
    }
    expect(await list({ window: { kind: 'page', page: 2000, size: 10 } })).toMatchObject({ transactions: 0 })
    for (const [query, total] of [
      [where('name', 'ne', 'n77'), 20_495],
      [where('price', 'eq', '3', all), 2929],
      [{ search: '99' }, 565],
      [{ window: { kind: 'limit', count: 5000 } }, 20_500],
      [{ window: all }, 20_500],
    ] as const) {
      expect(await list(query)).toEqual({ total, transactions: 1 })
    }
    transactions.mockRestore()
    await engine.close()
  })

  it('are no more than 12 of a collection, and those that a crash left half made are made again', async () => {
    const address = await freshAddress()
    const names = Array.from({ length: 14 }, (_, nth) => `f${nth}`)
    const items = Array.from({ length: 2000 }, (_, at) => ({
      ...Object.fromEntries(names.map((name) => [name, at % 9])),
    }))
    const engine = await openPostgres(address, { ...naming, sample: () => ({ items, others: items }) })
    const schema = schemaOf(address)
    // What a database leaves that stops meanwhile.
    await runIn(
      address,
      `CREATE INDEX c1_n0 ON ${schema}.c1 (n0)`,
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = '${schema}.c1_n0'::regclass`,
    )
    const ask = (collection: string, path: string) => {
      const sort = [{ path, order: 'asc' }] as const
      return engine.read({ kind: 'list', collection, query: { ...ALL, sort } })
    }
    for (const name of names) await ask('items', name)
    // They are made one after the other.
    await ask('others', 'f3')
    await made(address, 'c2_n3')
    await made(address, 'c1_n0')
    const found = await runIn(
      address,
      `SELECT 1 FROM pg_indexes WHERE schemaname = '${schema}' AND indexname ~ '^c1_n[0-9]+$'`,
    )
    expect(found).toHaveLength(12)
    await engine.close()
  })

  it('hold up nobody who closes while one is being made, and are there later', async () => {
    const address = await freshAddress()
    const items = Array.from({ length: 2500 }, (_, at) => ({ id: at + 1, name: `n${at % 3}` }))
    const engine = await openPostgres(address, { ...naming, sample: () => ({ items }) })
    // Somebody writes for long: the database waits before it makes one.
    const client = new pg.Client(address.replace(/&schema=.*/, ''))
    await client.connect()
    await client.query('BEGIN')
    await client.query(`LOCK TABLE ${schemaOf(address)}.c1 IN ROW EXCLUSIVE MODE`)
    const sort = [{ path: 'name', order: 'asc' }] as const
    await engine.read({ kind: 'list', collection: 'items', query: { ...ALL, sort } })
    await made(address, 'c1_t0', false)
    await engine.close()
    await client.query('COMMIT')
    await client.end()
    await made(address, 'c1_t0')
  })

  it('are not taken for what a crash left while another instance makes them', async () => {
    const address = await freshAddress()
    const items = Array.from({ length: 2500 }, (_, at) => ({ id: at + 1, name: `n${at % 3}` }))
    const sample = () => ({ items, others: items })
    const [one, two] = [
      await openPostgres(address, { ...naming, sample }),
      await openPostgres(address, { ...naming, sample }),
    ]
    const query = { ...ALL, sort: [{ path: 'name', order: 'asc' }] } as const
    const schema = schemaOf(address)
    const client = new pg.Client(address.replace(/&schema=.*/, ''))
    await client.connect()
    await client.query('BEGIN')
    await client.query(`LOCK TABLE ${schema}.c1 IN ROW EXCLUSIVE MODE`)
    await one.read({ kind: 'list', collection: 'items', query })
    await made(address, 'c1_t0', false)
    const number = () => runIn(address, `SELECT '${schema}.c1_t0'::regclass::oid AS number`)
    const before = await number()
    for (const collection of ['items', 'others']) await two.read({ kind: 'list', collection, query })
    const waiting = `SELECT left(query, 6) AS does FROM pg_stat_activity
      WHERE query ~ 'INDEX CONCURRENTLY.*${schema}.*c1' AND wait_event_type = 'Lock'`
    await expect.poll(() => runIn(address, waiting), { timeout: 20_000 }).toHaveLength(2)
    expect(await runIn(address, waiting)).toEqual([{ does: 'CREATE' }, { does: 'CREATE' }])
    await client.query('COMMIT')
    // They are made one after the other.
    await made(address, 'c2_t0')
    await made(address, 'c1_t0')
    expect(await number()).toEqual(before)
    for (const engine of [one, two]) await engine.close()
    await client.end()
  })

  it('are made the next time if the database could not be reached', async () => {
    const address = await freshAddress()
    const items = Array.from({ length: 2500 }, (_, at) => ({ id: at + 1, name: `n${at % 3}` }))
    const engine = await openPostgres(address, { ...naming, sample: () => ({ items }) })
    const away = new StorageError('SOURCE_UNAVAILABLE', 'away')
    const work = vi.spyOn(Connections.prototype, 'work').mockRejectedValueOnce(away)
    const read = () =>
      engine.read({
        kind: 'list',
        collection: 'items',
        query: { ...ALL, sort: [{ path: 'name', order: 'asc' }] },
      })
    await read()
    await expect.poll(() => work.mock.settledResults[0]?.type, { timeout: 20_000 }).toBe('rejected')
    await read()
    await made(address, 'c1_t0')
    work.mockRestore()
    await engine.close()
  })

  it('are not made for a few rows', async () => {
    expect(await indexesAfter(100, { sort: [{ path: 'name', order: 'desc' }] })).toEqual([{ names: null }])
  })
})
