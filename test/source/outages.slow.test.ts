import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StartOptions } from '../../src/index.ts'
import { exportData } from '../../src/source/transfer.ts'
import { folderOf } from '../support/folder.ts'
import { listenTo } from '../support/http/listen-to.ts'
import { ADA } from '../support/http/members.ts'
import { type Served, serve } from '../support/http/serve.ts'
import { clusterFolder, hasPostgres, runIn, SKIPPED } from '../support/postgres/cluster.ts'
import { filledAddress } from '../support/postgres/fill.ts'
import { Wire } from '../support/postgres/wire.ts'

const UNAVAILABLE = { status: 503, body: { code: 'SOURCE_UNAVAILABLE' } }

describe.skipIf(!hasPostgres)(
  `a server that loses its database for a while${hasPostgres ? '' : ` (${SKIPPED})`}`,
  { timeout: 60_000 },
  () => {
    let source: string
    let wire: Wire
    beforeEach(async () => {
      wire = await Wire.start(await clusterFolder(), 'outage')
    })
    afterEach(() => wire.close())

    /** One that can lose it, and one that cannot. */
    async function serveBoth(data: object, options: StartOptions = {}): Promise<readonly [Served, Served]> {
      source = await filledAddress(JSON.parse(JSON.stringify(data)))
      const behind = source.replace(await clusterFolder(), wire.folder)
      return [await serve({ source: behind, ...options }), await serve({ source, ...options })]
    }

    async function versionOf({ ask }: Served): Promise<number> {
      return (await ask('GET', '/__changes')).body.version
    }

    /** One has just lost it, and told of a change before. */
    async function loseIt() {
      const [one, two] = await serveBoth({ posts: [{ id: 1 }], notes: [] })
      const start = await versionOf(one)
      const next = await listen(one)
      await two.ask('POST', '/posts', {})
      expect(await next()).toMatchObject({ id: start + 1 })
      wire.goDown()
      return { one, two, start, next }
    }

    it('tells of each change that others made meanwhile once and in order, when it is back', async () => {
      const { one, two, start, next } = await loseIt()
      await two.ask('PATCH', '/posts?_all=true', { a: 1 })
      await two.ask('POST', '/notes', [{}, {}])
      await two.ask('DELETE', '/posts/1')
      expect(await one.ask('GET', '/posts')).toMatchObject(UNAVAILABLE)
      expect(await one.ask('POST', '/posts', {})).toMatchObject(UNAVAILABLE)
      wire.isDown = false
      expect([await next(), await next(), await next()]).toMatchObject([
        { id: start + 2, resources: [{ name: 'posts', count: expect.any(Number) }] },
        { id: start + 3, resources: [{ name: 'notes', count: 2 }] },
        { id: start + 4, resources: [{ name: 'posts', count: 1 }] },
      ])
      await one.ask('POST', '/notes', {})
      expect(await next()).toMatchObject({ id: start + 5, resources: [{ name: 'notes', count: 3 }] })
    })

    it('tells that anything may have changed where more happened than is kept', async () => {
      const { one, two, start, next } = await loseIt()
      await two.ask('POST', '/posts', {})
      await two.ask('POST', '/posts', {})
      const schema = /schema=(\w+)/.exec(source)?.[1]
      // As after a thousand changes.
      await runIn(
        source,
        `DELETE FROM "${schema}".commits WHERE version <= ${start + 2}`,
        `UPDATE "${schema}".state SET base = ${start + 2}, bottom = ${start + 2}`,
      )
      wire.isDown = false
      const all = [
        { name: 'posts', count: 4 },
        { name: 'notes', count: 0 },
      ]
      expect(await next()).toMatchObject({ id: start + 3, resources: all })
      await one.ask('POST', '/notes', {})
      expect(await next()).toMatchObject({ id: start + 4 })
      const resumed = await listen(one, { 'Last-Event-ID': String(start + 1) }, /gone/)
      expect(await resumed()).toMatchObject({ id: start + 4 })
    })

    it('tells of a change as soon as it finds out again who may hear of it', async () => {
      const [one, two] = await serveBoth({ users: [ADA], posts: [] }, { middlewares: ['accounts'] })
      const login = { email: ADA.email, password: 'password-of-ada' }
      const { body } = await two.ask('POST', '/login', login)
      const headers = { authorization: `Bearer ${body.accessToken}` }
      const next = await listen(one, headers)
      wire.cutsOn = 'FROM shared WHERE name'
      await two.ask('POST', '/posts', { a: 1 }, headers)
      // It asks more than once.
      await expect.poll(() => wire.cuts, { timeout: 10_000 }).toBeGreaterThan(1)
      wire.cutsOn = undefined
      await two.ask('POST', '/posts', { a: 2 }, headers)
      expect([await next(), await next()]).toMatchObject([
        { resources: [{ name: 'posts' }] },
        { resources: [{ name: 'posts', count: 2 }] },
      ])
    })

    it.each([
      ['is gone', () => wire.goDown()],
      [
        'falls silent',
        () => {
          wire.isStuck = true
        },
      ],
    ])('refuses writes within five seconds, in a storm, too, when it %s', async (_, lose) => {
      const [one] = await serveBoth({ posts: [] })
      const post = async () => {
        const start = performance.now()
        const { status } = await one.ask('POST', '/posts', {})
        return { status, isLate: performance.now() - start > 5500 }
      }
      const storm = Array.from({ length: 20 }, post)
      lose()
      for (let times = 0; times < 20; times++) {
        storm.push(post())
        await sleep(50)
      }
      const told = await Promise.all(storm)
      expect(told.filter(({ status, isLate }) => isLate || ![201, 503].includes(status))).toEqual([])
      expect(told.at(-1)).toMatchObject({ status: 503 })
    })

    it('exports nothing rather than half of it', async () => {
      const items = Array.from({ length: 3000 }, (_, id) => ({ id, filler: 'x'.repeat(200) }))
      source = await filledAddress({ items })
      const folder = folderOf()
      wire.cutAfterBytes = 200_000
      const from = source.replace(await clusterFolder(), wire.folder)
      await expect(exportData({ from, to: join(folder, 'out.json') })).rejects.toThrow(/cannot be reached/)
      expect([wire.cuts, existsSync(join(folder, 'out.json'))]).toEqual([1, false])
    })

    it('ends an export on demand, though the database is silent', async () => {
      source = await filledAddress({ items: Array.from({ length: 3000 }, (_, id) => ({ id })) })
      const chunks: Uint8Array[] = []
      const stop = new AbortController()
      const to = new Writable({
        write(chunk, _encoding, done) {
          chunks.push(chunk)
          done()
        },
      })
      wire.holds = 'LIMIT'
      const from = source.replace(await clusterFolder(), wire.folder)
      const exported = exportData({ from, to, signal: stop.signal })
      const ended = expect(exported).rejects.toMatchObject({ name: 'AbortError' })
      await expect.poll(() => wire.held).toBe(1)
      const start = performance.now()
      stop.abort()
      await ended
      expect(performance.now() - start).toBeLessThan(2000)
    })
  },
)

/** The next event of these kinds, each time. */
async function listen({ url }: Served, headers: Record<string, string> = {}, types?: RegExp) {
  const next = await listenTo(url, { headers, ...(types && { types }) })
  return async (): Promise<unknown> => {
    const { id, data = '{}' } = await next()
    return { id: Number(id), ...JSON.parse(data) }
  }
}
