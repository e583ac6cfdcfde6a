import { describe, expect, it, vi } from 'vitest'
import { openPostgres } from '../../../src/storage/postgres/postgres-engine.ts'
import type { Data, ListQuery } from '../../../src/storage/types.ts'
import { freshAddress, hasPostgres, runIn, SKIPPED, turkishAddress } from '../../support/postgres/cluster.ts'

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
    const naming = { id: 'id', foreignKeySuffix: 'Id' }
    const engine = await openPostgres(address, { ...naming, sample: () => ({ items }) })
    for (let times = 0; times < 3; times++) {
      await engine.read({ kind: 'list', collection: 'items', query: { ...ALL, ...query } })
    }
    // Waits for what is being made.
    await engine.close()
    const schema = /schema=(\w+)/.exec(address)?.[1]
    return await runIn(
      address,
      `SELECT array_agg(indexname::text ORDER BY 1) AS names FROM pg_indexes
       WHERE schemaname = '${schema}' AND indexname ~ '_([nt][0-9]+|words)$'`,
    )
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
    const schema = /schema=(\w+)/.exec(address)?.[1]
    await runIn(address, 'CREATE SCHEMA "Else where"', 'CREATE EXTENSION pg_trgm SCHEMA "Else where"')
    const items = Array.from({ length: 2500 }, (_, at) => ({
      id: at + 1,
      name: `chair ${at} ${'x'.repeat(99)}`,
    }))
    const search = async (sample: () => Data) => {
      const engine = await openPostgres(address, { id: 'id', foreignKeySuffix: 'Id', sample })
      const query = { ...ALL, search: 'chair 77 ' }
      const { found } = await engine.read({ kind: 'list', collection: 'items', query })
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

  it('are not made for a few rows', async () => {
    expect(await indexesAfter(100, { sort: [{ path: 'name', order: 'desc' }] })).toEqual([{ names: null }])
  })
})
