import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Engine } from '../../src/core/engine/engine.ts'
import { type RunningServer, type StartOptions, start } from '../../src/index.ts'
import { importData } from '../../src/source/transfer.ts'
import { openPostgres } from '../../src/stores/postgres/open-postgres.ts'
import { folderOf } from '../support/folder.ts'
import { ADA, MEMBERS } from '../support/http/members.ts'
import { freshAddress, hasPostgres, SKIPPED } from '../support/postgres/cluster.ts'

/** Every row and object says which of them it belongs to. */
function worldOf(mark: string, size: number) {
  const rows = (name: string) => Array.from({ length: size }, (_, at) => ({ id: at + 1, name, mark }))
  const parts = rows('part').map((row) => ({ ...row, itemId: row.id }))
  return { items: rows('item'), parts, [`only-${mark}`]: [{ id: 1, mark }], about: { mark } }
}

describe.skipIf(!hasPostgres)(
  `snapshots that servers share${hasPostgres ? '' : ` (${SKIPPED})`}`,
  { timeout: 30_000 },
  () => {
    let folder: string
    let source: string
    let client: pg.Client
    const ends: (() => Promise<unknown>)[] = []
    beforeEach(async () => {
      folder = folderOf()
      source = await freshAddress()
      client = await connected()
    })
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end()
    })
    async function connected(): Promise<pg.Client> {
      const made = new pg.Client(source.replace(/&schema=.*/, ''))
      await made.connect()
      ends.push(() => made.end())
      return made
    }
    async function filled(data: object): Promise<void> {
      const file = join(folder, 'db.json')
      writeFileSync(file, JSON.stringify(data))
      await importData({ from: file, to: source, replace: true })
    }
    async function serve(options: StartOptions = {}): Promise<RunningServer> {
      const server = await start({ source, snapshots: join(folder, 'unused'), ...options })
      ends.push(() => server.close())
      return server
    }
    async function ask(server: RunningServer, method: string, path: string, given?: object) {
      const answer = await fetch(server.url + path, {
        method,
        headers: { 'Content-Type': 'application/json' },
        ...(given && { body: JSON.stringify(given) }),
      })
      const text = await answer.text()
      const body = text === '' ? undefined : JSON.parse(text)
      return { status: answer.status, text, body, tag: answer.headers.get('ETag') }
    }
    const schema = () => `"${/schema=(\w+)/.exec(source)?.[1]}"`
    /** How many rows there are in all, and how many that belong to nothing. */
    async function stored(): Promise<unknown> {
      const found = await client.query(
        `SELECT count(*)::int AS rows, (count(*) - count(p.part))::int AS lost
         FROM ${schema()}.rows LEFT JOIN ${schema()}.parts p USING (part)`,
      )
      return found.rows[0]
    }
    /** Resolves once somebody waits for a lock that the client holds. */
    async function somebodyWaits(): Promise<number> {
      const look = await connected()
      let pid = 0
      const waiting = `
        SELECT a.pid FROM pg_stat_activity a JOIN pg_locks l USING (pid) JOIN pg_class c ON c.oid = l.relation
        WHERE wait_event_type = 'Lock' AND c.relnamespace = to_regnamespace($1)`
      await expect
        .poll(async () => {
          pid = (await look.query<{ pid: number }>(waiting, [schema()])).rows[0]?.pid ?? 0
          return pid
        })
        .toBeGreaterThan(0)
      return pid
    }

    it('are saved by one, and listed, restored and deleted by the other; both show what is there then', async () => {
      const [one, two] = [await serve(), await serve()]
      const before = await ask(one, 'GET', '/posts?_sort=title')
      const saved = await ask(one, 'POST', '/__snapshots__')
      expect(saved.status).toBe(201)
      expect((await ask(two, 'GET', '/__snapshots__')).body).toEqual([saved.body])
      expect((await ask(two, 'GET', `/__snapshots__/${saved.body.id}`)).body).toEqual(saved.body)
      await ask(one, 'POST', '/posts', { title: 'AAA' })
      await ask(one, 'DELETE', '/posts/1')
      const changed = await ask(one, 'GET', '/posts?_sort=title')
      expect(changed.tag).not.toBe(before.tag)
      // Kept by both.
      for (const server of [one, two, one, two]) {
        await expect
          .poll(async () => (await ask(server, 'GET', '/posts?_sort=title')).text)
          .toBe(changed.text)
      }
      const restored = await ask(two, 'PUT', `/__snapshots__/${saved.body.id}`)
      expect(restored.body).toEqual({ id: saved.body.id, restored: true, counts: { posts: 2, comments: 3 } })
      expect(await ask(two, 'GET', '/posts?_sort=title')).toEqual(before)
      await expect.poll(() => ask(one, 'GET', '/posts?_sort=title')).toEqual(before)
      expect((await ask(one, 'GET', '/posts/1')).status).toBe(200)
      expect((await ask(one, 'POST', '/posts', {})).body).toEqual({ id: 3 })
      expect((await ask(two, 'DELETE', `/__snapshots__/${saved.body.id}`)).status).toBe(200)
      expect((await ask(one, 'GET', '/__snapshots__')).body).toEqual([])
      expect((await ask(one, 'PUT', `/__snapshots__/${saved.body.id}`)).status).toBe(404)
      expect(existsSync(join(folder, 'unused'))).toBe(false)
    })

    it('leave a reset as it is: any server goes back to what came from outside last', async () => {
      await filled({ items: [{ id: 1 }] })
      const [one, two] = [await serve(), await serve()]
      await ask(one, 'POST', '/items', {})
      const { id } = await one.snapshot()
      expect((await ask(two, 'POST', '/__reset')).status).toBe(200)
      expect((await ask(two, 'GET', '/db')).body).toEqual({ items: [{ id: 1 }] })
      await filled({ others: [{ id: 5 }] })
      expect((await ask(two, 'PUT', `/__snapshots__/${id}`)).status).toBe(200)
      expect((await ask(two, 'GET', '/db')).body).toEqual({ items: [{ id: 1 }, { id: 2 }] })
      expect((await ask(one, 'POST', '/__reset')).status).toBe(200)
      expect((await ask(one, 'GET', '/db')).body).toEqual({ others: [{ id: 5 }] })
      const seed = join(folder, 'seed.json')
      writeFileSync(seed, '{"seeded":[]}')
      const seeded = await serve({ seed })
      expect((await ask(seeded, 'POST', '/__reset')).status).toBe(200)
      expect((await ask(seeded, 'GET', '/db')).body).toEqual({ seeded: [] })
    })

    it('leave what was imported between the look of a reset and its lock', async () => {
      await filled({ items: [{ id: 1 }] })
      const sample = () => ({})
      const { origin: read, ...opened } = await openPostgres(source, { sample })
      let isImported = false
      const origin = async () => {
        const content = await read()
        if (!isImported) await filled({ others: [{ id: 5 }] })
        isImported = true
        return content
      }
      const naming = { id: 'id', foreignKeySuffix: 'Id' }
      const engine = new Engine(opened.database, { ...naming, ...opened, origin })
      ends.push(() => engine.close())
      await engine.reset()
      expect(engine.database.toData()).toEqual({ others: [{ id: 5 }] })
      await engine.write({ kind: 'insert', collection: 'others', rows: [{}] })
      await engine.reset()
      expect((await ask(await serve(), 'GET', '/db')).body).toEqual({ others: [{ id: 5 }] })
    })

    it('bring back passwords, which nobody is shown', async () => {
      await filled(MEMBERS)
      const server = await serve({ middlewares: ['accounts'] })
      const login = async (password: string) => ask(server, 'POST', '/login', { email: ADA.email, password })
      const { body } = await login('password-of-ada')
      const admin = (method: string, path: string, given?: object) =>
        fetch(server.url + path, {
          method,
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${body.accessToken}` },
          ...(given && { body: JSON.stringify(given) }),
        })
      const { id } = await server.snapshot()
      const changed = { password: 'password-of-kim' }
      expect((await admin('PATCH', '/users/1', changed)).status).toBe(200)
      const { body: again } = await login('password-of-kim')
      body.accessToken = again.accessToken
      expect((await admin('PUT', `/__snapshots__/${id}`)).status).toBe(200)
      expect((await login('password-of-kim')).status).toBe(401)
      expect((await login('password-of-ada')).status).toBe(200)
    })

    it('are never seen half restored, however many read meanwhile', async () => {
      const SIZE = 40
      await filled(worldOf('a', SIZE))
      const servers = [await serve(), await serve()] as const
      const first = await servers[0].snapshot()
      await filled(worldOf('b', SIZE))
      const second = await servers[0].snapshot()
      let isOver = false
      const seen = new Set<string>()
      const wrong: unknown[] = []
      const paths = [
        '/db',
        '/items?_embed=parts',
        '/parts?_expand=item&mark_like=.',
        '/items/7',
        '/parts?q=part',
      ]
      const readers = servers.flatMap((server, nth) =>
        paths.map(async (path, at) => {
          for (let round = 0; !isOver; round++) {
            const { status, text, body } = await ask(
              server,
              'GET',
              `${path}${at < 2 ? '' : `${path.includes('?') ? '&' : '?'}_=${nth}${round}`}`,
            )
            const marks = new Set(text.match(/"mark": "\w"/g))
            for (const mark of marks) seen.add(mark)
            const isWhole = path === '/items/7' || (body.items ?? body).length === SIZE
            if (status !== 200 || marks.size !== 1 || !isWhole) wrong.push([path, status, text.slice(0, 500)])
          }
        }),
      )
      for (let times = 0; times < 8; times++) {
        const { id } = times % 2 === 0 ? first : second
        const { status } = await ask(times % 3 === 0 ? servers[0] : servers[1], 'PUT', `/__snapshots__/${id}`)
        expect(status).toBe(200)
      }
      isOver = true
      await Promise.all(readers)
      expect(wrong).toEqual([])
      expect(seen.size).toBe(2)
    })

    it('leave no row behind that nobody needs', async () => {
      const [one, two] = [await serve(), await serve()]
      // The sample data, and what a reset goes back to.
      expect(await stored()).toEqual({ rows: 10, lost: 0 })
      const { body } = await ask(one, 'POST', '/__snapshots__')
      expect(await stored()).toEqual({ rows: 15, lost: 0 })
      for (const server of [one, two, one]) await ask(server, 'PUT', `/__snapshots__/${body.id}`)
      await ask(two, 'POST', '/__reset')
      await ask(two, 'DELETE', `/__snapshots__/${body.id}`)
      expect(await stored()).toEqual({ rows: 10, lost: 0 })
      await filled({ items: [{ id: 1 }] })
      expect(await stored()).toEqual({ rows: 2, lost: 0 })
    })

    it('make nobody wait who reads, nor show anything, until they are restored', async () => {
      const [one, two] = [await serve(), await serve()]
      const { body } = await ask(one, 'POST', '/__snapshots__')
      await ask(one, 'DELETE', '/posts/1')
      const now = (await ask(one, 'GET', '/db')).text
      await client.query(`BEGIN; LOCK TABLE ${schema()}.rows IN EXCLUSIVE MODE`)
      const restoring = ask(one, 'PUT', `/__snapshots__/${body.id}`)
      await somebodyWaits()
      for (const server of [one, two]) {
        expect((await ask(server, 'GET', '/db?_=1')).text).toBe(now)
        expect((await ask(server, 'GET', '/posts/1?_=1')).status).toBe(404)
      }
      await client.query('COMMIT')
      expect((await restoring).status).toBe(200)
      expect((await ask(one, 'GET', '/posts/1')).status).toBe(200)
    })

    it('make nobody wait who writes, and hold the moment they were asked for', async () => {
      const [one, two] = [await serve(), await serve()]
      const before = (await ask(one, 'GET', '/db')).text
      one.clock.set({ now: new Date(7000), frozen: true })
      // The name is being taken.
      await client.query(`BEGIN; INSERT INTO ${schema()}.images (name) VALUES ('db-7000')`)
      const saving = ask(one, 'POST', '/__snapshots__')
      await somebodyWaits()
      expect((await ask(one, 'DELETE', '/posts/1')).status).toBe(200)
      expect((await ask(two, 'DELETE', '/posts/2')).status).toBe(200)
      await client.query('ROLLBACK')
      expect((await saving).body).toMatchObject({ id: 'db-7000' })
      expect((await ask(two, 'PUT', '/__snapshots__/db-7000')).status).toBe(200)
      expect((await ask(two, 'GET', '/db')).text).toBe(before)
    })

    it.each([
      ['saved', 'POST', '/__snapshots__'],
      ['restored', 'PUT', '/__snapshots__/db-7000'],
      ['deleted', 'DELETE', '/__snapshots__/db-7000'],
    ])(
      'are %s or not, all or nothing: the connection breaks, and nothing is left of it',
      async (_, method, path) => {
        const server = await serve()
        server.clock.set({ now: new Date(7000), frozen: true })
        const { body } = await ask(server, 'POST', '/__snapshots__')
        await ask(server, 'DELETE', '/posts/1')
        const state = async () => [await stored(), (await ask(server, 'GET', '/db')).text]
        const before = await state()
        await client.query(`BEGIN; LOCK TABLE ${schema()}.rows IN EXCLUSIVE MODE`)
        const refused = ask(server, method, path)
        await client.query('SELECT pg_terminate_backend($1)', [await somebodyWaits()])
        expect(await refused).toMatchObject({ status: 503, body: { code: 'SOURCE_UNAVAILABLE' } })
        await client.query('COMMIT')
        expect(await state()).toEqual(before)
        expect((await ask(server, 'GET', '/__snapshots__')).body).toEqual([body])
        expect((await ask(server, method, path)).status).toBeLessThan(300)
      },
    )
  },
)
