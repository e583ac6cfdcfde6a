import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addressIn, folderForCluster, hasPostgres, runIn, SKIPPED } from '../../support/postgres/cluster.ts'
import {
  controlCluster,
  findPrograms,
  startCluster,
  stopCluster,
} from '../../support/postgres/run-cluster.ts'
import { StandIn } from '../../support/postgres/stand-in.ts'
import { Wire } from '../../support/postgres/wire.ts'

const UNAVAILABLE = { code: 'SOURCE_UNAVAILABLE' }

describe.skipIf(!hasPostgres)(
  `a database that goes away${hasPostgres ? '' : ` (${SKIPPED})`}`,
  { timeout: 120_000 },
  () => {
    // A cluster of its own: others must not lose theirs.
    const folder = hasPostgres ? folderForCluster() : ''
    const programs = findPrograms() ?? ''
    const opened: StandIn[] = []
    const wires: Wire[] = []
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
      for (const one of opened.splice(0)) await one.close()
      for (const wire of wires.splice(0)) await wire.close()
    })
    async function open(where = folder, schema = `s${++schemas}`): Promise<StandIn> {
      const one = await StandIn.open(addressIn(where, schema))
      opened.push(one)
      return one
    }
    async function newWire(): Promise<Wire> {
      const wire = await Wire.start(folder, `w${++schemas}`)
      wires.push(wire)
      return wire
    }
    const stop = (mode: string) => controlCluster(folder, programs, 'stop', '-w', '-m', mode)
    const go = () =>
      controlCluster(
        ...[folder, programs, 'start', '-w', '-l', join(folder, 'log')],
        ...['-o', `-k ${folder} -c listen_addresses=''`],
      )
    /** All that one may ask of it. */
    const asks = (one: StandIn) => [
      one.read(),
      one.add(),
      one.refresh(),
      one.opened.store.check(),
      one.opened.shared.read('a'),
      one.opened.images.names(),
      one.opened.origin(),
    ]

    it.each(['fast', 'immediate'])(
      'is told to all who ask, and they go on when it is back: %s',
      async (mode) => {
        const one = await open()
        stop(mode)
        for (let times = 0; times < 2; times++) {
          const start = performance.now()
          for (const told of await Promise.allSettled<unknown>(asks(one))) {
            expect(told).toMatchObject({ status: 'rejected', reason: UNAVAILABLE })
          }
          expect(performance.now() - start).toBeLessThan(5000)
        }
        go()
        await expect.poll(() => one.read().catch(() => {}), { timeout: 5000 }).toEqual({ items: [{ id: 1 }] })
        expect(await one.add()).toEqual({ id: 2 })
        await Promise.all(asks(one))
      },
    )

    it.each([
      ['while nothing else goes on', false],
      ['in the middle of a commit, which may have been done', true],
    ])(
      'is away within five seconds once it is silent, also for those who queue, and is back by itself: %s',
      async (_, isCommitting) => {
        const wire = await newWire()
        const one = await open(wire.folder)
        if (isCommitting) {
          wire.holds = 'COMMIT\0'
          one.add().catch(() => {})
          await expect.poll(() => wire.held, { interval: 1 }).toBe(1)
          wire.holds = undefined
        }
        wire.isStuck = true
        const start = performance.now()
        const waits: number[] = []
        const ask = async () => {
          const asked = performance.now()
          for (const told of await Promise.allSettled<unknown>([one.read(), one.add()])) {
            expect(told).toMatchObject({ status: 'rejected', reason: UNAVAILABLE })
          }
          waits.push(performance.now() - asked)
        }
        const asked: Promise<void>[] = []
        while (performance.now() - start < 6000) {
          asked.push(ask())
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
        await Promise.all(asked)
        expect(Math.max(...waits)).toBeLessThan(5000)
        // By then nobody waits for anything.
        expect(waits.at(-1)).toBeLessThan(500)
        wire.isStuck = false
        await expect.poll(() => one.read().catch(() => {}), { timeout: 10_000 }).toEqual(one.data)
        await one.add()
        await one.opened.store.check()
      },
    )

    it('is not taken for lost because one connection broke', async () => {
      const schema = `s${++schemas}`
      const [one, two] = [await open(folder, schema), await open(folder, schema)]
      const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'restable'`
      const isUp = ({ opened }: typeof one) =>
        opened.store
          .check()
          .then(() => true)
          .catch(() => false)
      for (let times = 0; times < 5; times++) {
        await runIn(addressIn(folder, schema), kill)
        const added = await one.add()
        expect(Object(await two.read()).items.at(-1)).toEqual(added)
        // One that breaks again while it is replaced is another matter.
        await expect.poll(async () => (await isUp(one)) && (await isUp(two))).toBe(true)
      }
      const told = new Promise<void>((resolve) => two.opened.store.follow(resolve))
      await one.add()
      await told
    })

    it('does not hear what it missed before it is asked, and is told that there may be something', async () => {
      const wire = await newWire()
      const schema = `s${++schemas}`
      const [one, two] = [await open(folder, schema), await open(wire.folder, schema)]
      wire.isDeaf = true
      await one.add()
      expect(await two.read()).toEqual(one.data)
      wire.isDeaf = false
      const told = new Promise<void>((resolve) => two.opened.store.follow(resolve))
      wire.cut('LISTEN')
      await told
    })

    it('is not used through what loses notifications: nobody would ever hear that something changed', async () => {
      const wire = await newWire()
      wire.isDeaf = true
      await expect(open(wire.folder)).rejects.toThrow(
        'notifications of the database do not arrive. Connect to',
      )
    })

    it('keeps what was acknowledged and nothing that was refused, when it is killed in a storm of writes', async () => {
      const schema = `s${++schemas}`
      const servers = [await open(folder, schema), await open(folder, schema)]
      const acknowledged: unknown[] = []
      const refused: string[] = []
      let isOver = false
      const writers = servers.flatMap((server, nth) =>
        Array.from({ length: 4 }, async (_, at) => {
          for (let round = 0; !isOver; round++) {
            const mark = `${nth}-${at}-${round}`
            await server.add({ mark }).then(
              (row) => acknowledged.push(row),
              // Of some, nobody knows.
              ({ message }) => message.includes('nothing was changed') && refused.push(mark),
            )
            // As a client that comes again.
            await new Promise((resolve) => setTimeout(resolve, 1))
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
      const { items } = (await open(folder, schema)).data
      const rows = [items].flat().slice(1)
      expect(rows).toEqual(expect.arrayContaining(acknowledged))
      const marks = rows.map((row) => Object(row).mark)
      expect(refused.filter((mark) => marks.includes(mark))).toEqual([])
      expect(rows.map((row) => Object(row).id)).toEqual(rows.map((_, at) => at + 2))
    })

    it('acknowledges what was committed, though no COMMIT is answered', async () => {
      const wire = await newWire()
      wire.cutAfterCommit = true
      const one = await open(wire.folder)
      expect(wire.cuts).toBe(1)
      wire.cutAfterCommit = true
      expect(await one.add({ a: 1 })).toEqual({ a: 1, id: 2 })
      expect(wire.cuts).toBe(2)
      const { images } = one.opened
      wire.cutAfterCommit = true
      expect(await images.save(['one'])).toBe('one')
      expect([wire.cuts, await images.names()]).toEqual([3, ['one']])
      wire.cutAfterCommit = true
      expect(await images.remove('one')).toBe(true)
      expect([wire.cuts, await images.names()]).toEqual([4, []])
      expect(await one.read()).toEqual({ items: [{ id: 1 }, { a: 1, id: 2 }] })
    })

    it('takes over what it committed after all, where that could not be told in time', async () => {
      const wire = await newWire()
      const one = await open(wire.folder)
      wire.cutAfterCommit = true
      const added = one.add({ a: 1 })
      await expect.poll(() => wire.cuts, { interval: 1 }).toBe(1)
      wire.goDown()
      await expect(added).rejects.toThrow('Read it before you send it again.')
      wire.isDown = false
      const all = { items: [{ id: 1 }, { a: 1, id: 2 }] }
      await expect.poll(() => one.read().catch(() => {}), { timeout: 10_000 }).toEqual(all)
      expect(one.heard).toHaveLength(1)
    })

    it('does not take what another server committed meanwhile for its own', async () => {
      const wire = await newWire()
      const schema = `s${++schemas}`
      const [one, two] = [await open(wire.folder, schema), await open(folder, schema)]
      wire.cutsOn = 'COMMIT\0'
      const added = one.add({ by: 'one' }).catch(({ message }) => message)
      await expect.poll(() => wire.cuts, { interval: 1 }).toBe(1)
      wire.goDown()
      wire.cutsOn = undefined
      expect(await two.add({ by: 'two' })).toEqual({ by: 'two', id: 2 })
      wire.isDown = false
      expect(await added).toMatch('nothing was changed')
      await expect.poll(() => one.read().catch(() => {}), { timeout: 5000 }).toEqual(two.data)
    })

    it('is read while a change that nobody knows the end of still has the lock', async () => {
      const wire = await newWire()
      const one = await open(wire.folder)
      wire.isOneSided = true
      wire.cutsOn = 'COMMIT\0'
      const added = one.add().catch(({ message }) => message)
      await expect.poll(() => wire.cuts, { interval: 1 }).toBe(1)
      wire.cutsOn = undefined
      const start = performance.now()
      while (performance.now() - start < 1000) expect(await one.read()).toEqual({ items: [{ id: 1 }] })
      expect(performance.now() - start).toBeLessThan(3000)
      expect(await added).toMatch('Read it before you send it again.')
    })

    it('refuses a change whose connection breaks before it is committed', async () => {
      const wire = await newWire()
      const one = await open(wire.folder)
      wire.cutsOn = 'INSERT INTO'
      await expect(one.add()).rejects.toMatchObject({
        ...UNAVAILABLE,
        message: expect.stringContaining('nothing was changed'),
      })
      wire.cutsOn = undefined
      expect(await one.read()).toEqual({ items: [{ id: 1 }] })
      expect(await one.add()).toEqual({ id: 2 })
    })

    it('closes all the same when it is silent', async () => {
      const wire = await newWire()
      const one = await open(wire.folder)
      wire.isStuck = true
      const waiting = Promise.allSettled<unknown>([one.read(), one.add()])
      const start = performance.now()
      await one.close()
      expect(performance.now() - start).toBeLessThan(5000)
      for (const told of await waiting) expect(told).toMatchObject({ reason: UNAVAILABLE })
      opened.pop()
    })
  },
)
