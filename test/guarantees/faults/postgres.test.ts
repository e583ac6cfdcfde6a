import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../../support/child/launch.ts'
import { endRealServers, type RealServer, serveHome } from '../../support/child/real-server.ts'
import { folderOf } from '../../support/folder.ts'
import { freshAddress, hasPostgres, SKIPPED } from '../../support/postgres/cluster.ts'

const CONFIG = {
  resources: {
    users: { unique: ['email'] },
    posts: { references: { userId: { resource: 'users', onDelete: 'cascade' } } },
    notes: { references: { userId: { resource: 'users', onDelete: 'restrict' } } },
  },
}
const DATA = { users: [{ id: 1, email: 'first' }], posts: [], notes: [] }

interface Child {
  readonly id: number
  readonly userId: number
}

interface Told {
  readonly id: number
  readonly mark: string
}

describe.skipIf(!hasPostgres)(
  `servers that share a database${hasPostgres ? '' : ` (${SKIPPED})`}`,
  { timeout: 120_000 },
  () => {
    let address: string
    let admin: pg.Client
    beforeAll(async () => {
      address = await freshAddress()
      admin = new pg.Client(address.replace(/&schema=[^&]*/, ''))
      await admin.connect()
    })
    afterAll(async () => {
      await admin?.end()
      await endRealServers()
    })
    const serve = async (name: string): Promise<RealServer> =>
      serveHome(folderOf({ 'seed.json': DATA }), {
        source: `${address}&application_name=${name}`,
        config: { ...CONFIG, seed: 'seed.json' },
      })

    /** Clients that post until they are told to stop, or their server is gone. */
    function storm(server: RealServer, name: string) {
      const told: Told[] = []
      const unsure: string[] = []
      let isOver = false
      const clients = Array.from({ length: 4 }, async (_, nth) => {
        for (let round = 0; !isOver; round++) {
          const mark = `${name}-${nth}-${round}`
          const answer = await server.ask('POST', '/posts', { mark, userId: 1 }).catch(() => undefined)
          if (answer?.status === 201) told.push(JSON.parse(answer.body))
          else unsure.push(mark)
          if (!answer) return
        }
      })
      return {
        told,
        unsure,
        until: (count: number) =>
          expect.poll(() => told.length, { timeout: 60_000 }).toBeGreaterThan(told.length + count),
        async end() {
          isOver = true
          await Promise.all(clients)
        },
      }
    }

    /** Whether a server has locked the data, and says nothing. */
    async function holdsLock(name: string): Promise<boolean> {
      const { rows } = await admin.query(
        `SELECT 1 FROM pg_stat_activity a JOIN pg_locks l USING (pid)
         WHERE application_name = $1 AND state = 'idle in transaction' AND mode = 'RowShareLock'`,
        [name],
      )
      return rows.length > 0
    }

    it('lose nothing that was acknowledged when one of them is killed or hangs in a storm of changes', async () => {
      const [one, two] = [await serve('one'), await serve('two')]
      const storms = [storm(one, 'one'), storm(two, 'two')] as const
      await storms[0].until(20)
      await one.stop('SIGKILL')
      // The other one goes on.
      await storms[1].until(20)
      const three = await serve('three')
      const last = storm(three, 'three')
      await last.until(10)
      // Stopped at the moment it holds the lock, another one gets it nevertheless.
      await expect
        .poll(
          async () => {
            three.process.child.kill('SIGSTOP')
            if (await holdsLock('three')) return true
            three.process.child.kill('SIGCONT')
            return false
          },
          { timeout: 60_000, interval: 1 },
        )
        .toBe(true)
      const hung = performance.now()
      await storms[1].until(5)
      expect(performance.now() - hung).toBeLessThan(8000)
      three.process.child.kill('SIGCONT')
      await last.until(5)
      for (const each of [...storms, last]) await each.end()
      const { posts = [] } = (await two.served()) as { posts?: readonly Told[] }
      const acknowledged = [...storms[0].told, ...storms[1].told, ...last.told]
      expect(posts).toEqual(expect.arrayContaining(acknowledged.map((row) => expect.objectContaining(row))))
      // Each mark and each id once; what nobody was told of may be there, but only that.
      const marks = posts.map(({ mark }) => mark)
      expect(new Set(marks).size).toBe(posts.length)
      expect(posts.map(({ id }) => id)).toEqual(posts.map((_, at) => at + 1))
      const unsure = [...storms[0].unsure, ...last.unsure]
      const untold = marks.filter((mark) => !acknowledged.some((row) => row.mark === mark))
      expect(unsure).toEqual(expect.arrayContaining(untold))
      expect(await three.served()).toEqual(await two.served())
    })

    it('keep a reset that was answered, though its server is killed right after', async () => {
      const one = await serve('reset')
      expect((await one.ask('POST', '/users', { email: 'of nobody' })).status).toBe(201)
      expect((await one.ask('POST', '/__reset')).status).toBe(200)
      await one.stop('SIGKILL')
      expect(await (await serve('after')).served()).toEqual(DATA)
    })

    it('keep the rules together: one of many equal emails, no orphans, nobody removed who is needed', async () => {
      const [one, two] = [await serve('four'), await serve('five')]
      const at = (nth: number) => (nth % 2 ? one : two)
      const emails = await Promise.all(
        Array.from({ length: 100 }, (_, nth) =>
          at(nth).ask('POST', '/users', { email: 'same', id: 1000 + nth }),
        ),
      )
      expect(emails.map(({ status }) => status).toSorted()).toEqual([201, ...Array(99).fill(409)])
      const made = JSON.parse(emails.find(({ status }) => status === 201)?.body ?? '{}')
      await Promise.all(
        Array.from({ length: 30 }, (_, nth) =>
          nth === 15
            ? at(nth).ask('DELETE', `/users/${made.id}`)
            : at(nth).ask('POST', nth % 3 ? '/posts' : '/notes', { userId: made.id }),
        ),
      )
      const { users = [], posts = [], notes = [] } = (await one.served()) as Record<string, Child[]>
      const isThere = users.some(({ id }) => id === made.id)
      const children = [...posts, ...notes].filter(({ userId }) => userId === made.id)
      // Whoever came first: either the user stays with what points to it, or all went.
      expect(isThere ? children.length > 0 : children.length === 0).toBe(true)
      expect(await two.served()).toEqual(await one.served())
    })

    it('read what they wrote themselves, and what another one wrote as soon as they hear of it', async () => {
      const [one, two] = [await serve('six'), await serve('seven')]
      for (let round = 0; round < 10; round++) {
        const { headers } = await two.ask('GET', '/users/1')
        const old = { 'if-none-match': headers.etag ?? '' }
        expect((await two.ask('GET', '/users/1', undefined, old)).status).toBe(304)
        const changed = await one.ask('PATCH', '/users/1', { round })
        expect((await one.ask('GET', '/users/1')).body).toBe(changed.body)
        await expect
          .poll(async () => (await two.ask('GET', '/users/1', undefined, old)).body)
          .toBe(changed.body)
        const next = { 'if-none-match': changed.headers.etag ?? '' }
        expect((await two.ask('GET', '/users/1', undefined, next)).status).toBe(304)
      }
    })

    it.each<[string, () => Promise<readonly string[]>, string]>([
      [
        'a newer format',
        async () => {
          const source = await freshAddress()
          const made = await serveHome(folderOf(), { source })
          await made.stop('SIGTERM')
          await admin.query(`UPDATE "${/schema=(\w+)/.exec(source)?.[1]}".state SET format = 99`)
          return [source]
        },
        'made by a newer version of restable',
      ],
      [
        'another encoding',
        async () => {
          await admin.query('DROP DATABASE IF EXISTS latin')
          await admin.query(
            "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'",
          )
          return [address.replace('/postgres?', '/latin?')]
        },
        "ENCODING 'UTF8'",
      ],
      [
        'nobody there',
        async () => [address.replace(/host=[^&]*/, 'host=/nowhere')],
        'cannot be reached (ENOENT)',
      ],
    ])('refuse %s with one line', async (_, prepare, expected) => {
      const { code, lines } = await endsWith(await prepare())
      expect(code).toBe(1)
      expect(lines).toEqual([expect.stringContaining(expected)])
    })

    async function endsWith(args: readonly string[]) {
      const { ended, stderr } = launch([...args, '--port', '0'], { cwd: folderOf() })
      const code = await ended
      return { code, lines: stderr().trim().split('\n') }
    }
  },
)
