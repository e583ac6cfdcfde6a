import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { readAddress } from '../../../../src/storage/postgres/link/address.ts'
import { Connections } from '../../../../src/storage/postgres/link/connections.ts'
import { openPostgres, type PostgresEngine } from '../../../../src/storage/postgres/postgres-engine.ts'
import { freshAddress, hasPostgres, runIn, SKIPPED } from '../../../support/postgres/cluster.ts'
import { ALL } from '../../contract/data.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }

describe.skipIf(!hasPostgres)(
  `a database with few connections to give${hasPostgres ? '' : ` (${SKIPPED})`}`,
  { timeout: 60_000 },
  () => {
    const opened: PostgresEngine[] = []
    afterEach(async () => {
      for (const engine of opened.splice(0)) await engine.close()
    })

    /** The address of a user who may have no more than so many, and what changes that. */
    async function limitedTo(limit: number) {
      const address = await freshAddress()
      const role = `r_${/schema=(\w+)/.exec(address)?.[1]}`
      await runIn(
        address,
        `CREATE ROLE ${role} LOGIN CONNECTION LIMIT ${limit}`,
        `GRANT CREATE ON DATABASE postgres TO ${role}`,
      )
      const raiseTo = (more: number) => runIn(address, `ALTER ROLE ${role} CONNECTION LIMIT ${more}`)
      return { address: address.replace('postgres@', `${role}@`), raiseTo }
    }

    async function openWith(limit: number): Promise<PostgresEngine> {
      const { address } = await limitedTo(limit)
      const rows = Array.from({ length: 3000 }, (_, at) => ({ id: at + 1, size: at % 10 }))
      const sample = () => ({ items: rows })
      const engine = await openPostgres(address, { ...naming, sample })
      opened.push(engine)
      return engine
    }

    it('answers everybody, who wait for those that are there', async () => {
      const engine = await openWith(6)
      const asks = Array.from({ length: 30 }, async (_, at) => {
        const id = String(at + 1)
        const [item, list, all] = await Promise.all([
          engine.read({ kind: 'item', collection: 'items', id }),
          engine.read({ kind: 'list', collection: 'items', query: ALL }),
          engine.read({ kind: 'database' }),
        ])
        await engine.write({ kind: 'merge', collection: 'items', id, fields: { seen: true } })
        return [item.found?.id, list.found?.rows.length, Object.keys(all.found)]
      })
      // What is rarely done has a connection, too.
      const saved = engine.images.save(['meanwhile'])
      for (const [at, answer] of (await Promise.all(asks)).entries()) {
        expect(answer).toEqual([at + 1, 3000, ['items']])
      }
      expect(await saved).toBe('meanwhile')
    })

    /** Transactions that last until they are released. */
    async function holding(limit: number) {
      const { address, raiseTo } = await limitedTo(limit)
      const connections = new Connections(pg, readAddress(address))
      let [inside, release] = [0, () => {}]
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      const hold = () =>
        connections.inSnapshot(async (sql) => {
          await sql.query('SELECT 1')
          inside++
          await released
        })
      const arrive = (count: number) => expect.poll(() => inside, { timeout: 20_000 }).toBe(count)
      return { connections, hold, arrive, release, raiseTo }
    }

    it('is asked for more now and then', async () => {
      const { connections, hold, arrive, release, raiseTo } = await holding(2)
      // One by one: of those that are asked for together, all may be refused.
      const held = [hold()]
      await arrive(1)
      held.push(hold())
      await arrive(2)
      held.push(hold(), hold())
      await raiseTo(20)
      await arrive(4)
      release()
      await Promise.all(held)
      await connections.close()
    })

    it('has one that became free while another was asked for', async () => {
      const { connections, hold, arrive, release } = await holding(1)
      const held = [hold()]
      await arrive(1)
      held.push(hold())
      // The first is given back before the second is refused.
      release()
      await Promise.all(held)
      await connections.close()
    })

    it('is refused at the start if they are too few, with what to do', async () => {
      await expect(openWith(5)).rejects.toThrow(
        /^source: postgres:\S+ cannot be opened: too many connections for role "\w+"\. A server needs 6 connections, and takes up to 13: raise the limit, or start fewer servers\.$/,
      )
    })
  },
)
