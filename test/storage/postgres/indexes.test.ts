import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { openPostgres } from '../../../src/storage/postgres/postgres-engine.ts'
import type { ListQuery } from '../../../src/storage/types.ts'
import { freshAddress, hasPostgres, SKIPPED } from '../../support/postgres/cluster.ts'

const ALL: ListQuery = { where: [], sort: [], window: { kind: 'limit', count: 1 }, embed: [], expand: [] }

describe.skipIf(!hasPostgres)(`indexes in PostgreSQL${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  async function indexesAfter(rows: number, query: Partial<ListQuery>): Promise<readonly string[]> {
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
    const client = new pg.Client(address.replace(/&schema=.*/, ''))
    await client.connect()
    const found = await client.query<{ indexname: string }>(
      "SELECT indexname FROM pg_indexes WHERE schemaname = $1 AND indexname ~ '_[nt][0-9]+$' ORDER BY 1",
      [/schema=(\w+)/.exec(address)?.[1]],
    )
    await client.end()
    return found.rows.map(({ indexname }) => indexname)
  }

  it.each<[string, Partial<ListQuery>, readonly string[]]>([
    [
      'what is filtered by',
      { where: [{ path: 'price', op: 'eq', values: ['3'], required: true }] },
      ['c1_n1'],
    ],
    ['what is sorted by', { sort: [{ path: 'name', order: 'desc' }] }, ['c1_t0']],
    [
      'nothing that only JavaScript can decide',
      { where: [{ path: 'at', op: 'in', values: ['3'], required: true }] },
      [],
    ],
    ['nothing that was not asked for', {}, []],
  ])('are made of %s', async (_, query, made) => {
    expect(await indexesAfter(2500, query)).toEqual(made)
  })

  it('are not made for a few rows', async () => {
    expect(await indexesAfter(100, { sort: [{ path: 'name', order: 'desc' }] })).toEqual([])
  })
})
