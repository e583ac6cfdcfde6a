import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres, type PostgresEngine } from '../../../src/storage/postgres/postgres-engine.ts'
import { addressIn, folderForCluster, hasPostgres, SKIPPED } from '../../support/postgres/cluster.ts'
import {
  controlCluster,
  findPrograms,
  startCluster,
  stopCluster,
} from '../../support/postgres/run-cluster.ts'
import { Wire } from '../../support/postgres/wire.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }

describe.skipIf(!hasPostgres)(
  `a database that goes away${hasPostgres ? '' : ` (${SKIPPED})`}`,
  { timeout: 120_000 },
  () => {
    // A cluster of its own: others must not lose theirs.
    const folder = hasPostgres ? folderForCluster() : ''
    const programs = findPrograms() ?? ''
    const opened: PostgresEngine[] = []
    let schemas = 0
    beforeAll(() => {
      startCluster(folder, programs)
      // It was started as for tests where nothing has to outlive a crash: without synchronous commits.
      stop('fast')
      go()
    }, 60_000)
    afterAll(() => {
      stopCluster(folder)
      rmSync(folder, { recursive: true, force: true })
    }, 60_000)
    afterEach(async () => {
      for (const engine of opened.splice(0)) await engine.close()
    })
    async function open(address = addressIn(folder, `s${++schemas}`)): Promise<PostgresEngine> {
      const engine = await openPostgres(address, { ...naming, sample: () => ({ items: [{ id: 1 }] }) })
      opened.push(engine)
      return engine
    }
    const stop = (mode: string) => controlCluster(folder, programs, 'stop', '-w', '-m', mode)
    const go = () =>
      controlCluster(
        folder,
        programs,
        'start',
        '-w',
        '-l',
        join(folder, 'log'),
        '-o',
        `-k ${folder} -c listen_addresses=''`,
      )
    const read = (engine: PostgresEngine) => engine.read({ kind: 'item', collection: 'items', id: '1' })
    const UNAVAILABLE = { code: 'SOURCE_UNAVAILABLE' }

    it.each(['fast', 'immediate'])(
      'is told to readers and writers alike, and they go on when it is back: %s',
      async (mode) => {
        const engine = await open()
        const reading = await read(engine)
        expect(reading.isCurrent?.()).toBe(true)
        stop(mode)
        await expect.poll(() => reading.isCurrent?.()).toBe(false)
        await expect(read(engine)).rejects.toMatchObject(UNAVAILABLE)
        await expect(engine.read({ kind: 'database' })).rejects.toMatchObject(UNAVAILABLE)
        await expect(engine.check()).rejects.toMatchObject(UNAVAILABLE)
        await expect(engine.write({ kind: 'insert', collection: 'items', rows: [{}] })).rejects.toMatchObject(
          UNAVAILABLE,
        )
        go()
        expect((await read(engine)).found).toEqual({ id: 1 })
        expect(await engine.write({ kind: 'insert', collection: 'items', rows: [{}] })).toEqual([{ id: 2 }])
        // Listens again, by itself.
        await expect.poll(async () => (await read(engine)).isCurrent?.(), { timeout: 10_000 }).toBe(true)
        await engine.check()
      },
    )

    it('counts as away when it does not answer a check', async () => {
      const wire = await Wire.start(folder, 'stuck')
      const engine = await open(addressIn(wire.folder, `s${++schemas}`))
      await engine.check()
      wire.isStuck = true
      await expect(engine.check()).rejects.toMatchObject(UNAVAILABLE)
      await wire.close()
    })

    it('is not used through what loses notifications: nobody would ever hear that something changed', async () => {
      const wire = await Wire.start(folder, 'deaf')
      wire.isDeaf = true
      const address = addressIn(wire.folder, `s${++schemas}`)
      await expect(open(address)).rejects.toThrow('notifications of the database do not arrive. Connect to')
      wire.isDeaf = false
      expect((await read(await open(address))).isCurrent?.()).toBe(true)
      await wire.close()
    })

    it('keeps what was acknowledged and nothing that was refused, when it is killed in a storm of writes', async () => {
      const address = addressIn(folder, `s${++schemas}`)
      const engines = [await open(address), await open(address)]
      const acknowledged: unknown[] = []
      const refused: string[] = []
      let isOver = false
      const writers = engines.flatMap((engine, nth) =>
        Array.from({ length: 4 }, async (_, at) => {
          for (let round = 0; !isOver; round++) {
            const mark = `${nth}-${at}-${round}`
            await engine.write({ kind: 'insert', collection: 'items', rows: [{ mark }] }).then(
              ([row] = []) => acknowledged.push(row),
              () => refused.push(mark),
            )
          }
        }),
      )
      for (let times = 0; times < 2; times++) {
        const before = acknowledged.length
        await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(before + 20)
        stop('immediate')
        go()
      }
      isOver = true
      await Promise.all(writers)
      const { found } = await (await open(address)).read({ kind: 'database' })
      const rows = [found.items].flat().slice(1)
      expect(rows).toEqual(expect.arrayContaining(acknowledged))
      expect(rows).toHaveLength(acknowledged.length)
      const marks = rows.map((row) => Reflect.get(Object(row), 'mark'))
      expect(refused.filter((mark) => marks.includes(mark))).toEqual([])
      expect(rows.map((row) => Reflect.get(Object(row), 'id'))).toEqual(rows.map((_, at) => at + 2))
    })

    it('acknowledges a change whose COMMIT was done, though the answer to it got lost', async () => {
      const wire = await Wire.start(folder, 'through')
      const schema = `s${++schemas}`
      const engine = await open(addressIn(wire.folder, schema))
      wire.cutAfterCommit = true
      expect(await engine.write({ kind: 'insert', collection: 'items', rows: [{ a: 1 }] })).toEqual([
        { a: 1, id: 2 },
      ])
      expect(wire.cuts).toBe(1)
      const { found } = await (await open(addressIn(folder, schema))).read({ kind: 'database' })
      expect(found).toEqual({ items: [{ id: 1 }, { a: 1, id: 2 }] })
      await wire.close()
    })

    it('acknowledges a first import, and copies that come and go, though no COMMIT is answered', async () => {
      const wire = await Wire.start(folder, 'unlogged')
      wire.cutAfterCommit = true
      const engine = await open(addressIn(wire.folder, `s${++schemas}`))
      expect(wire.cuts).toBe(1)
      expect((await read(engine)).found).toEqual({ id: 1 })
      wire.cutAfterCommit = true
      expect(await engine.images.save(['one'])).toBe('one')
      expect(wire.cuts).toBe(2)
      expect(await engine.images.names()).toEqual(['one'])
      wire.cutAfterCommit = true
      expect(await engine.images.remove('one')).toBe(true)
      expect(wire.cuts).toBe(3)
      expect(await engine.images.names()).toEqual([])
      await wire.close()
    })
  },
)
