import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { freshAddress, hasPostgres, SKIPPED } from '../../support/postgres/cluster.ts'

describe.skipIf(!hasPostgres)(`a cluster for tests${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  it('runs in UTF8 and as nobody with rights, reached by a socket alone', async () => {
    const client = new pg.Client((await freshAddress()).replace(/&schema=.*/, ''))
    await client.connect()
    const { rows } = await client.query(
      "SELECT current_setting('server_encoding') AS encoding, current_setting('listen_addresses') AS addresses",
    )
    await client.end()
    expect(rows).toEqual([{ encoding: 'UTF8', addresses: '' }])
  })

  it('gives each test a schema of its own', async () => {
    expect(await freshAddress()).not.toBe(await freshAddress())
  })
})
