import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readAddress } from '../../../../src/storage/postgres/link/address.ts'
import { Connections } from '../../../../src/storage/postgres/link/connections.ts'
import { openPostgres, type PostgresEngine } from '../../../../src/storage/postgres/postgres-engine.ts'
import { addressIn, clusterFolder, hasPostgres, SKIPPED } from '../../../support/postgres/cluster.ts'
import { Wire } from '../../../support/postgres/wire.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }

describe.skipIf(!hasPostgres)(
  `an instance that cannot hear${hasPostgres ? '' : ` (${SKIPPED})`}`,
  { timeout: 60_000 },
  () => {
    const opened: PostgresEngine[] = []
    let folder: string
    let wire: Wire
    let schemas = 0
    beforeAll(async () => {
      folder = await clusterFolder()
      wire = await Wire.start(folder, 'silence')
    })
    afterAll(() => wire.close())
    afterEach(async () => {
      for (const engine of opened.splice(0)) await engine.close()
    })

    /** One that reaches the cluster, and one that does so by a wire that can be cut. */
    async function openBoth(): Promise<readonly [PostgresEngine, PostgresEngine]> {
      const schema = `silence_${process.pid}_${++schemas}`
      const sample = () => ({ items: [{ id: 1, a: 1 }] })
      for (const where of [folder, wire.folder]) {
        opened.push(await openPostgres(addressIn(where, schema), { ...naming, sample, patienceMs: 600 }))
      }
      const [one, other] = opened
      if (!one || !other) throw new Error('Nothing was opened')
      return [one, other]
    }
    const read = (engine: PostgresEngine) => engine.read({ kind: 'item', collection: 'items', id: '1' })
    const change = (engine: PostgresEngine, a: number) =>
      engine.write({ kind: 'merge', collection: 'items', id: '1', fields: { a } })

    it('takes nothing for current that was changed meanwhile, not even once it is connected again', async () => {
      const [writer, reader] = await openBoth()
      const reading = await read(reader)
      expect(reading.isCurrent?.()).toBe(true)
      wire.holds = 'commits WHERE version >'
      wire.cut('LISTEN')
      await expect.poll(() => reading.isCurrent?.()).toBe(false)
      const before = wire.held
      await change(writer, 2)
      // It listens again, and is about to ask what it missed.
      await expect.poll(() => wire.held, { timeout: 10_000 }).toBeGreaterThan(before)
      expect(reading.isCurrent?.()).toBe(false)
      wire.release()
      await expect.poll(async () => (await read(reader)).isCurrent?.(), { timeout: 10_000 }).toBe(true)
      expect(reading.isCurrent?.()).toBe(false)
      expect((await read(reader)).found).toEqual({ id: 1, a: 2 })
    })

    it.each([
      ['our own', '', '30s'],
      ['what the address says', '-c idle_in_transaction_session_timeout=5s', '5s'],
    ])('holds up others no longer than the server allows: %s', async (_, options, expected) => {
      const address = readAddress(`${addressIn(folder, 'any')}&options=${encodeURIComponent(options)}`)
      const connections = new Connections(pg, address)
      const asked = ['idle_in_transaction_session_timeout', 'jit'].map((name) =>
        connections.ask(`SELECT current_setting('${name}') AS value`),
      )
      expect((await Promise.all(asked)).flat()).toEqual([{ value: expected }, { value: 'off' }])
      await connections.close()
    })

    it('listens again when it could not find out what it was notified of', async () => {
      const [writer, reader] = await openBoth()
      const reading = await read(reader)
      wire.holds = 'commits WHERE version >'
      const before = wire.held
      await change(writer, 2)
      await expect.poll(() => wire.held).toBeGreaterThan(before)
      wire.cut('commits WHERE version >')
      wire.release()
      await expect.poll(() => reading.isCurrent?.(), { timeout: 10_000 }).toBe(false)
      await expect.poll(async () => (await read(reader)).isCurrent?.(), { timeout: 10_000 }).toBe(true)
      expect(reading.isCurrent?.()).toBe(false)
    })

    it('listens again when the connection breaks while it asks what it missed', async () => {
      const [writer, reader] = await openBoth()
      wire.holds = 'commits WHERE version >'
      wire.cut('LISTEN')
      const before = wire.held
      await expect.poll(() => wire.held, { timeout: 10_000 }).toBeGreaterThan(before)
      wire.cut('LISTEN')
      wire.release()
      await expect.poll(async () => (await read(reader)).isCurrent?.(), { timeout: 10_000 }).toBe(true)
      const reading = await read(reader)
      await change(writer, 2)
      await expect.poll(() => reading.isCurrent?.(), { timeout: 10_000 }).toBe(false)
    })

    it('hands on what others committed before its own commits, though nobody has told it', async () => {
      const [writer, reader] = await openBoth()
      const heard: unknown[] = []
      reader.subscribe(({ effects }) => heard.push(effects), { effects: true })
      wire.isDeaf = true
      await change(writer, 2)
      await change(reader, 3)
      wire.isDeaf = false
      const replaced = (before: number, after: number) => [
        expect.objectContaining({ replaced: [{ before: { id: 1, a: before }, after: { id: 1, a: after } }] }),
      ]
      expect(heard).toEqual([replaced(1, 2), replaced(2, 3)])
    })

    it('tells how everything was replaced, and what came after it, though it missed what was before', async () => {
      const [writer, reader] = await openBoth()
      const heard: unknown[] = []
      const options = { effects: true, logged: true }
      reader.subscribe(
        ({ note, effects, logged }) => heard.push([note, effects?.length, logged?.bytes]),
        options,
      )
      wire.isDeaf = true
      await change(writer, 2)
      await writer.write({ kind: 'replace-database', data: { items: [{ id: 1 }] } }, { note: 'replaced' })
      await change(writer, 3)
      expect(heard).toEqual([])
      await reader.refresh()
      wire.isDeaf = false
      expect(heard).toEqual([
        ['replaced', undefined, 0],
        [undefined, 1, expect.any(Number)],
      ])
    })

    it('closes all the same when nothing comes anymore, and tells who still waits', async () => {
      const [, reader] = await openBoth()
      // Only where connections are there already: those that are being made have a limit of their own.
      await Promise.all([read(reader), reader.read({ kind: 'database' })])
      wire.isStuck = true
      const waiting = [read(reader), reader.read({ kind: 'database' })]
      const told = Promise.allSettled<unknown>(waiting)
      await reader.close()
      for (const one of await told) {
        expect(one).toMatchObject({ status: 'rejected', reason: { code: 'SOURCE_UNAVAILABLE' } })
      }
      opened.pop()
      wire.isStuck = false
    })

    it('listens no more once it is closed, though it was about to', async () => {
      const [, reader] = await openBoth()
      wire.holds = 'pg_notify'
      wire.cut('LISTEN')
      const before = wire.held
      await expect.poll(() => wire.held, { timeout: 10_000 }).toBeGreaterThan(before)
      opened.pop()
      const closing = reader.close()
      wire.cut('LISTEN')
      wire.release()
      await closing
      const { joined } = wire
      // It would have tried again several times.
      await sleep(500)
      expect(wire.joined).toBe(joined)
    })

    it('finds out by itself that nothing comes anymore, tells all who wait, and goes on later', async () => {
      const [writer, reader] = await openBoth()
      const reading = await read(reader)
      wire.isStuck = true
      await change(writer, 2)
      const waiting = [read(reader), change(reader, 3), reader.read({ kind: 'database' })]
      for (const told of await Promise.allSettled<unknown>(waiting)) {
        expect(told).toMatchObject({ status: 'rejected', reason: { code: 'SOURCE_UNAVAILABLE' } })
      }
      expect(reading.isCurrent?.()).toBe(false)
      wire.isStuck = false
      await expect.poll(async () => (await read(reader)).isCurrent?.(), { timeout: 20_000 }).toBe(true)
      expect((await read(reader)).found).toEqual({ id: 1, a: 2 })
      // Nobody holds a lock that it does not know of.
      await change(reader, 4)
      await change(writer, 5)
    })
  },
)
