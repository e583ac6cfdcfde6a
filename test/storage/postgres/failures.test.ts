import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { readAddress } from '../../../src/storage/postgres/link/address.ts'
import { againIfGone } from '../../../src/storage/postgres/link/again-if-gone.ts'
import { Connections } from '../../../src/storage/postgres/link/connections.ts'
import { isGone, isLost, isUnavailable } from '../../../src/storage/postgres/link/unavailable.ts'
import { freshAddress, hasPostgres } from '../../support/postgres/cluster.ts'

describe('a failure of the database', () => {
  it.each([
    'ECONNREFUSED',
    'EPROTO',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'CERT_HAS_EXPIRED',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
  ])('is one of the connection, which may be made again later: %s', (code) => {
    const error = Object.assign(new Error('what the system says'), { code })
    expect([isUnavailable(error), isLost(error)]).toEqual([true, true])
  })

  it.each(['42601', '22021', 'ERR_INVALID_ARG_TYPE', ''])('is a mistake of ours: %j', (code) => {
    const error = Object.assign(new Error('what the server says'), { code })
    expect([isUnavailable(error), isLost(error)]).toEqual([false, false])
  })

  it.each(['42P01', '40001'])('is tried again a few times, and not forever: %s', async (code) => {
    const error = Object.assign(new Error('what the server says'), { code })
    let tries = 0
    const work = async (failures: number) => {
      if (tries++ < failures) throw error
      return 'done'
    }
    expect(await againIfGone(() => work(3))).toBe('done')
    tries = 0
    await expect(againIfGone(() => work(100))).rejects.toBe(error)
    expect(tries).toBe(5)
    tries = 0
    const other = Object.assign(new Error('what the server says'), { code: '42601' })
    await expect(againIfGone(() => Promise.reject(other).finally(() => tries++))).rejects.toBe(other)
    expect(tries).toBe(1)
  })

  it.skipIf(!hasPostgres)('is the first one, whichever statement after it is waited for', async () => {
    const connections = new Connections(pg, readAddress(await freshAddress()))
    const codes = await connections.inTransaction(async (sql) => {
      const asked = [sql.query('SELECT 1/0'), sql.query('SELECT 1'), sql.query('SELECT 2')]
      sql.send('SELECT 3')
      const all = await Promise.allSettled([...asked, sql.flush()])
      return all.map((one) => (one.status === 'rejected' ? one.reason.code : one.value))
    })
    expect(codes).toEqual(['22012', '22012', '22012', '22012'])
    await connections.close()
  })

  it.skipIf(!hasPostgres)('is a table that is gone, also where a statement is prepared twice', async () => {
    const connections = new Connections(pg, readAddress(await freshAddress()))
    const ask = () => connections.askQuickly({ text: 'SELECT * FROM nowhere', isSteady: true })
    // The more there are, the more of them wait behind one whose statement is not prepared.
    const asked = await Promise.allSettled(Array.from({ length: 40 }, ask))
    const reasons = asked.map((one) => (one.status === 'rejected' ? one.reason : undefined))
    expect(new Set(reasons.map(({ code }) => code))).toContain('26000')
    expect(reasons.map(isGone)).toEqual(reasons.map(() => true))
    await connections.close()
  })
})
