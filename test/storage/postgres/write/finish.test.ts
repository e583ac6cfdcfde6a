import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Tables } from '../../../../src/storage/postgres/layout/tables.ts'
import { readAddress } from '../../../../src/storage/postgres/link/address.ts'
import { Connections } from '../../../../src/storage/postgres/link/connections.ts'
import type { Fields, Sql } from '../../../../src/storage/postgres/link/sql.ts'
import { openPostgres } from '../../../../src/storage/postgres/postgres-engine.ts'
import { finish } from '../../../../src/storage/postgres/write/finish.ts'
import { freshAddress, hasPostgres, SKIPPED } from '../../../support/postgres/cluster.ts'

const NOTHING = 'nothing was changed'
const UNKNOWN = 'cannot be asked whether it was. Read it before you send it again.'

interface Case {
  readonly token?: string
  readonly end?: string
  /** Of another version. */
  readonly ahead?: number
  /** Of another transaction. */
  readonly later?: bigint
  readonly isForgotten?: boolean
  readonly isUnlogged?: boolean
}

const CASES: readonly (readonly [string, Case, string | undefined])[] = [
  ['is done if its row is there', { token: 'ours' }, undefined],
  ['is not if it was rolled back', { token: 'ours', end: 'ROLLBACK' }, NOTHING],
  ['is not if another has its version', { token: 'theirs' }, NOTHING],
  ['is not if another has its number, and nobody its version yet', { token: 'ours', ahead: 1 }, NOTHING],
  ['is not known if its row is kept no longer: another may have its number', { isForgotten: true }, UNKNOWN],
  [
    'is not if it was rolled back, and the row of its version is kept no longer',
    { end: 'ROLLBACK', isForgotten: true, ahead: -1 },
    NOTHING,
  ],
  ['is not if the server crashed, and has not come to its number again', { later: 10n ** 9n }, NOTHING],
  [
    'is not if the server crashed, and others have its version, which is kept no longer',
    { later: 10n ** 9n, isForgotten: true },
    NOTHING,
  ],
  ['is done if there is no row to look for, and its number was committed', { isUnlogged: true }, undefined],
  [
    'is not if there is no row to look for, and it was rolled back',
    { isUnlogged: true, end: 'ROLLBACK' },
    NOTHING,
  ],
  [
    'is not if there is no row to look for, and no such number',
    { isUnlogged: true, later: 10n ** 9n },
    NOTHING,
  ],
]

/** A connection that breaks instead of answering. */
const broken: Sql = {
  query: () => Promise.reject(new Error('Connection terminated unexpectedly')),
  send() {},
  flush: () => Promise.resolve(),
  copy: () => Promise.reject(new Error('Nothing is copied.')),
}

class CountingConnections extends Connections {
  asked = 0

  override ask<R extends Fields>(text: string, values?: readonly unknown[]): Promise<readonly R[]> {
    this.asked++
    return super.ask<R>(text, values)
  }
}

describe.skipIf(!hasPostgres)(
  `a COMMIT without an answer${hasPostgres ? '' : ` (${SKIPPED})`}`,
  { timeout: 10_000 },
  () => {
    let connections: CountingConnections
    let tables: Tables
    let client: pg.Client
    beforeAll(async () => {
      const source = await freshAddress()
      const address = readAddress(source)
      tables = new Tables(address.schema)
      const engine = await openPostgres(source, { id: 'id', foreignKeySuffix: 'Id', sample: () => ({}) })
      await engine.close()
      connections = new CountingConnections(pg, address)
      client = new pg.Client(address.url)
      await client.connect()
    })
    afterAll(async () => {
      await client.end()
      await connections.close()
    })

    /** Begins a transaction that makes the next version, and tells its number and version. */
    async function begin(token: string): Promise<{ xid: string; version: number }> {
      await client.query('BEGIN')
      const { rows } = await client.query(
        `UPDATE ${tables.state} SET version = version + 1 RETURNING version, pg_current_xact_id()::text AS xid`,
      )
      const version = Number(rows[0].version)
      const values = [version, token]
      await client.query(`INSERT INTO ${tables.commits} VALUES ($1, $2, $1, 1, '{}')`, values)
      return { xid: rows[0].xid, version }
    }
    const forget = (version: number) =>
      client.query(`DELETE FROM ${tables.commits} WHERE version = $1`, [version])

    it.each(CASES)('%s', async (_, how, message) => {
      const { token = 'ours', end = 'COMMIT', ahead = 0, later = 0n } = how
      const { xid, version } = await begin(token)
      await client.query(end)
      if (how.isForgotten) await forget(version + ahead)
      const finished = finish(
        broken,
        { connections, tables },
        {
          xid: String(BigInt(xid) + later),
          version: how.isUnlogged ? undefined : version + ahead,
          token: 'ours',
        },
      )
      if (message === undefined) await finished
      else
        await expect(finished).rejects.toMatchObject({
          code: 'SOURCE_UNAVAILABLE',
          message: expect.stringContaining(message),
        })
    })

    it('is waited for while the server is at it', async () => {
      const { xid, version } = await begin('ours')
      const finished = finish(broken, { connections, tables }, { xid, version, token: 'ours' })
      const before = connections.asked
      await expect.poll(() => connections.asked).toBeGreaterThan(before + 1)
      await client.query('COMMIT')
      await finished
    })
  },
)
