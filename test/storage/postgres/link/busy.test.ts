import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Tables } from '../../../../src/storage/postgres/layout/tables.ts'
import { readAddress } from '../../../../src/storage/postgres/link/address.ts'
import { Connection } from '../../../../src/storage/postgres/link/connection.ts'
import { Connections } from '../../../../src/storage/postgres/link/connections.ts'
import { openPostgres, PostgresEngine } from '../../../../src/storage/postgres/postgres-engine.ts'
import { freshAddress, hasPostgres, SKIPPED } from '../../../support/postgres/cluster.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }

describe.skipIf(!hasPostgres)(
  `a busy server${hasPostgres ? '' : ` (${SKIPPED})`}`,
  { timeout: 60_000 },
  () => {
    const opened: PostgresEngine[] = []
    afterEach(async () => {
      for (const engine of opened.splice(0)) await engine.close()
    })

    /** One that writes, and one whose connections can be kept busy. */
    async function openBoth() {
      const address = readAddress(await freshAddress())
      const sample = () => ({ items: [{ id: 1, a: 1 }] })
      const writer = await openPostgres(address, { ...naming, sample })
      const connections = new Connections(pg, address)
      const engine = new PostgresEngine(connections, new Tables(address.schema), naming)
      opened.push(writer, engine)
      await engine.start()
      return { writer, engine, connections }
    }
    const read = (engine: PostgresEngine) => engine.read({ kind: 'item', collection: 'items', id: '1' })

    it('does not count as lost: it hears what others write, and answers whoever waits', async () => {
      const { writer, engine, connections } = await openBoth()
      const before = await read(engine)
      // Twice as many as there are readers: the last ones wait for longer than connecting may take.
      const longer = sleep(5500)
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      let left = 8
      const held = Array.from({ length: left }, () =>
        connections.inSnapshot(() => released).finally(() => left--),
      )
      const waiting = engine.read({ kind: 'database' })
      await writer.write({ kind: 'merge', collection: 'items', id: '1', fields: { a: 2 } })
      await expect.poll(() => before.isCurrent?.(), { timeout: 20_000 }).toBe(false)
      const between = await read(engine)
      // It reads the catalogue, and listens, as when it starts. Before it has, a read would wait for the others.
      await writer.write({ kind: 'replace-database', data: { items: [{ id: 1, a: 3 }] } })
      await expect.poll(() => between.isCurrent?.(), { timeout: 20_000 }).toBe(false)
      const after = await read(engine)
      expect(after.found).toEqual({ id: 1, a: 3 })
      expect(after.isCurrent?.()).toBe(true)
      await engine.check()
      await engine.refresh()
      expect(await engine.shared?.swap('name', undefined, 'value')).toBe(true)
      expect(await engine.images.save(['copy'])).toBe('copy')
      await longer
      expect(left).toBe(8)
      release()
      expect((await waiting).found).toEqual({ items: [{ id: 1, a: 3 }] })
      await Promise.all(held)
    })

    it('looks at no more rows once nobody waits for what they tell', async () => {
      const items = Array.from({ length: 5000 }, (_, id) => ({ id, tags: ['all'] }))
      const engine = await openPostgres(await freshAddress(), { ...naming, sample: () => ({ items }) })
      opened.push(engine)
      const fetched = vi.spyOn(Connection.prototype, 'query')
      const where = [{ path: 'tags', op: 'contains', values: ['all'] }] as const
      const query = { where, sort: [], window: { kind: 'all' }, embed: [], expand: [] } as const
      const asked = engine.read({ kind: 'list', collection: 'items', query }, { isWanted: () => false })
      await expect(asked).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
      expect(fetched.mock.calls.filter(([text]) => text.startsWith('FETCH'))).toHaveLength(1)
      fetched.mockRestore()
    })

    it('tells all who wait for a connection when none can be made, without trying for each', async () => {
      let tries = 0
      const nobody = createServer((socket) => {
        tries++
        socket.destroy()
      })
      await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve))
      const bound = nobody.address()
      const port = typeof bound === 'object' ? bound?.port : undefined
      const connections = new Connections(pg, readAddress(`postgres://nobody@127.0.0.1:${port}/nothing`))
      const asked = Array.from({ length: 20 }, () => connections.inSnapshot((sql) => sql.query('SELECT 1')))
      for (const one of await Promise.allSettled(asked)) {
        expect(one).toMatchObject({ status: 'rejected', reason: { code: 'SOURCE_UNAVAILABLE' } })
      }
      expect(tries).toBeLessThan(8)
      await connections.close()
      await new Promise((resolve) => nobody.close(resolve))
    })
  },
)
