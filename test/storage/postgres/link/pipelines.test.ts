import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readAddress } from '../../../../src/storage/postgres/link/address.ts'
import { Pipelines } from '../../../../src/storage/postgres/link/pipelines.ts'
import { freshAddress, hasPostgres, runIn, SKIPPED } from '../../../support/postgres/cluster.ts'

describe.skipIf(!hasPostgres)(
  `connections that statements share${hasPostgres ? '' : ` (${SKIPPED})`}`,
  () => {
    /** With a name that tells its connections from others. */
    async function open(name: string) {
      const address = await freshAddress()
      const { url } = readAddress(address)
      const made: pg.Client[] = []
      const pipelines = new Pipelines(() => {
        const config = { connectionString: url, application_name: name, pipeline: true }
        const client = new pg.Client(config)
        made.push(client)
        return client
      })
      onTestFinished(() => pipelines.close())
      const count = async () =>
        (await runIn(address, `SELECT pid FROM pg_stat_activity WHERE application_name = '${name}'`)).length
      return { pipelines, made, count }
    }

    it('are few, and what is quick does not wait behind what is slow', async () => {
      const { pipelines, made } = await open('few')
      let isSlowDone = false
      const slow = pipelines.ask({ text: 'SELECT pg_sleep(1)' }).then(() => {
        isSlowDone = true
      })
      for (let at = 0; at < 20; at++) await pipelines.ask({ text: 'SELECT 1' })
      expect(isSlowDone).toBe(false)
      expect(made).toHaveLength(2)
      await Promise.all(Array.from({ length: 50 }, () => pipelines.ask({ text: 'SELECT 1' })))
      expect(made).toHaveLength(3)
      await slow
    })

    it('are replaced by others before they remember too many statements, and end then', async () => {
      const { pipelines, made, count } = await open('forgetful')
      const isSteady = true
      for (let at = 0; at < 203; at++) {
        // As often as it takes to be prepared.
        const same = Array.from({ length: 6 }, () => pipelines.ask({ text: `SELECT ${at} AS at`, isSteady }))
        expect((await Promise.all(same)).flat()).toEqual(Array(6).fill({ at }))
      }
      expect(made.length).toBeGreaterThan(3)
      await expect.poll(count).toBeLessThanOrEqual(3)
      const [prepared] = await pipelines.ask<{ count: string }>({
        text: 'SELECT count(*) FROM pg_prepared_statements',
      })
      expect(Number(prepared?.count)).toBeLessThanOrEqual(201)
    })
  },
)
