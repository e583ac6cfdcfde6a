import { request } from 'node:http'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../support/child/free-port.ts'
import { endLaunched, type Launched, launch } from '../support/child/launch.ts'
import { hasProxy, KINDS, type ProxyName, RunningProxy } from '../support/child/proxy.ts'
import { folderOf } from '../support/folder.ts'
import { clusterFolder, hasPostgres, SKIPPED } from '../support/postgres/cluster.ts'

const DATABASE = 'behind_proxies'
/** The user of the second server, who can be locked out. */
const SECOND = 'behind_proxies_two'
/** An admin, who may undo. */
const TEAM = { email: 'team@mock.test', password: 'correct horse battery' }
/** Theirs: good at both servers. */
let token = ''
const names = Object.keys(KINDS) as ProxyName[]
const there = hasPostgres ? names.filter(hasProxy) : []

interface Ask {
  readonly port: number
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** The last part of its address: clients of different ones may be sent to different servers. */
  readonly client?: number
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

function ask({ port, method = 'GET', path, body, headers = {}, client = 1 }: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const kind = text === undefined ? {} : { 'content-type': 'application/json' }
    const from = { localAddress: `127.0.1.${client}`, agent: false } as const
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        ...from,
        headers: { ...kind, ...(token && { authorization: `Bearer ${token}` }), ...headers },
      },
      (res) => {
        let heard = ''
        res.setEncoding('utf8').on('data', (chunk: string) => {
          heard += chunk
        })
        res.on('error', reject)
        res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: heard }))
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })
}

for (const name of names.filter((one) => !there.includes(one)))
  it.skip(
    `${name} is not tested: there is no PostgreSQL, or no ${name}, on this machine (apt-get install ${name})`,
  )

describe.skipIf(there.length === 0)(
  `two servers of one database${hasPostgres ? '' : ` (${SKIPPED})`}`,
  { timeout: 60_000 },
  () => {
    let home: string
    let source: string
    let admin: pg.Client
    const ports: [number, number] = [0, 0]
    const servers: Launched[] = []
    const proxies = new Map<ProxyName, RunningProxy>()
    const behind = (name: ProxyName) => proxies.get(name)?.port ?? 0
    const started = async (at: 0 | 1) => {
      // With its log, which tests have off by default: it tells who was asked.
      const as = at === 0 ? source : source.replace('postgres@', `${SECOND}@`)
      const server = launch([as, '--port', `${ports[at]}`], {
        cwd: home,
        env: { NODE_ENV: 'production' },
      })
      await server.url()
      servers[at] = server
      return server
    }
    beforeAll(async () => {
      const folder = await clusterFolder()
      admin = new pg.Client(`postgres://postgres@localhost/postgres?host=${folder}`)
      await admin.connect()
      await admin.query(`CREATE DATABASE ${DATABASE}`)
      await admin.query(`CREATE ROLE ${SECOND} LOGIN SUPERUSER`)
      source = `postgres://postgres@localhost/${DATABASE}?host=${folder}`
      home = folderOf({
        'seed.json': {
          users: [{ id: 1, ...TEAM, role: 'admin' }],
          posts: [],
          comments: [{ id: 1 }, { id: 2 }],
          marks: [],
        },
        'restable.config.json': {
          seed: 'seed.json',
          trustedProxies: ['127.0.0.1'],
          trustedOrigins: ['http://mock.test'],
          middlewares: ['accounts'],
        },
      })
      ports[0] = await freePort()
      ports[1] = await freePort()
      await started(0)
      await started(1)
      const login = await ask({ port: ports[0], method: 'POST', path: '/login', body: TEAM })
      token = JSON.parse(login.body).accessToken
      for (const name of there) proxies.set(name, await RunningProxy.start(name, ports))
    }, 60_000)
    afterAll(async () => {
      for (const proxy of proxies.values()) await proxy.stop()
      endLaunched()
      await Promise.all(servers.map(({ ended }) => ended))
      await admin?.query(`DROP DATABASE ${DATABASE} WITH (FORCE)`)
      await admin?.end()
    })

    it.each(there)('share the clients of %s, each of which reads what it wrote', async (name) => {
      const port = behind(name)
      const counts = () => servers.map((server) => server.stdout().split('POST /posts').length)
      const before = counts()
      for (let client = 1; client <= 12; client++) {
        const by = `${name}-${client}`
        const made = await ask({ port, method: 'POST', path: '/posts', body: { by }, client })
        expect(made.status).toBe(201)
        expect(made.headers.location).toBe(`http://127.0.0.1:${port}/posts/${JSON.parse(made.body).id}`)
        const read = await ask({ port, path: `/posts?by=${by}`, client })
        expect(JSON.parse(read.body)).toEqual([JSON.parse(made.body)])
      }
      await expect.poll(() => counts().every((count, at) => count > (before[at] ?? 0))).toBe(true)
    })

    it.each(there)('say through %s where they were asked, and know their own page', async (name) => {
      const port = behind(name)
      const path = '/comments?_page=1&_limit=1'
      const { headers } = await ask({ port, path, headers: { host: 'mock.test' } })
      expect(headers.link).toContain('<http://mock.test/comments?_page=2&_limit=1>; rel="next"')
      const undo = (origin: string) =>
        ask({ port, method: 'POST', path: '/__undo', headers: { host: 'mock.test', origin } })
      await ask({ port, method: 'POST', path: '/comments', body: {} })
      expect((await undo('http://elsewhere.test')).status).toBe(403)
      expect((await undo('http://mock.test')).status).toBe(200)
    })

    it.each(there)('tell of changes through %s as they happen, at whichever server', async (name) => {
      const port = behind(name)
      const made = new Set<number>()
      await new Promise<void>((resolve, reject) => {
        const heard = request({ host: '127.0.0.1', port, path: '/__events?resource=comments' }, (res) => {
          let text = ''
          res.on('error', () => {})
          res.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk
            if (text.split('event: change').length <= ports.length) return
            heard.destroy()
            resolve()
          })
          // One change at each server.
          for (const one of ports)
            void ask({ port: one, method: 'POST', path: '/comments', body: {} }).then(({ status }) =>
              made.add(status),
            )
        })
        heard.on('error', reject)
        heard.end()
      })
      expect([...made]).toEqual([201])
    })

    it.each(there)('know through %s who is logged in, and stay within a large body', async (name) => {
      const port = behind(name)
      const user = { email: `ada@${name}.test`, password: 'correct horse battery' }
      const post = (path: string, body: unknown, client: number) =>
        ask({ port, method: 'POST', path, body, client })
      const { accessToken, refreshToken } = JSON.parse((await post('/register', user, 1)).body)
      const headers = { authorization: `Bearer ${accessToken}` }
      // Whichever server they are sent to.
      for (let client = 1; client <= 8; client++)
        expect((await ask({ port, path: '/me', headers, client })).status).toBe(200)
      expect((await post('/refresh', { refreshToken }, 7)).status).toBe(200)
      const large = { text: 'x'.repeat(3_000_000) }
      expect((await post('/comments', large, 2)).status).toBe(201)
    })

    it('lose no acknowledged write when one is killed, whose clients go on with the other, until it is back', async () => {
      const acknowledged: string[] = []
      let isOver = false
      const writers = there.flatMap((name) =>
        [1, 2, 3, 4, 5, 6].map(async (client) => {
          for (let round = 0; !isOver; round++) {
            const mark = `${name}-${client}-${round}`
            const made = await ask({
              port: behind(name),
              method: 'POST',
              path: '/marks',
              body: { mark },
              client,
            }).catch(() => undefined)
            if (made?.status === 201) acknowledged.push(mark)
          }
        }),
      )
      const more = async (count: number) => {
        const goal = acknowledged.length + count
        await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(goal)
      }
      await more(30)
      servers[0]?.child.kill('SIGKILL')
      await servers[0]?.ended
      await more(60)
      const again = await started(0)
      await expect.poll(() => again.stdout(), { timeout: 30_000 }).toContain('POST /marks')
      isOver = true
      await Promise.all(writers)
      const { body } = await ask({ port: ports[1], path: '/marks' })
      const stored: string[] = JSON.parse(body).map(({ mark }: { mark: string }) => mark)
      expect(acknowledged.filter((mark) => !stored.includes(mark))).toEqual([])
      expect(new Set(stored).size).toBe(stored.length)
    })

    it.each(there)('answer reads through %s while they are restarted in turn, twice', async (name) => {
      const statuses = new Map<number, number>()
      const served = Array.from({ length: 8 }, () => 0)
      let isOver = false
      const readers = served.map(async (_, reader) => {
        while (!isOver) {
          const { status } = await ask({ port: behind(name), path: '/posts', client: reader + 1 })
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          served[reader] = (served[reader] ?? 0) + 1
        }
      })
      // nginx tries each server once: a request that found one down must not find the other down, too.
      const newRequests = async () => {
        const before = [...served]
        const isNew = () => served.every((count, reader) => count >= (before[reader] ?? 0) + 2)
        await expect.poll(isNew, { timeout: 20_000, interval: 5 }).toBe(true)
      }
      for (const at of [0, 1, 0, 1] as const) {
        servers[at]?.child.kill('SIGTERM')
        await servers[at]?.ended
        await started(at)
        await newRequests()
      }
      isOver = true
      await Promise.all(readers)
      expect([...statuses.keys()]).toEqual([200])
    })

    it.skipIf(!there.includes('haproxy'))(
      'are not asked through HAProxy while they cannot reach the database',
      async () => {
        const unwell = { status: 503, code: 'SOURCE_UNAVAILABLE' }
        const asked = async (path: string) => {
          const { status, body } = await ask({ port: ports[1], path })
          return { status, code: JSON.parse(body).code }
        }
        const clients = Array.from({ length: 12 }, (_, at) => at + 1)
        const statuses = () =>
          Promise.all(
            clients.map(
              async (client) => (await ask({ port: behind('haproxy'), path: '/posts', client })).status,
            ),
          )
        await admin.query(`ALTER ROLE ${SECOND} NOLOGIN`)
        await admin.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${SECOND}'`,
        )
        await expect.poll(() => asked('/health-check'), { timeout: 20_000 }).toEqual(unwell)
        expect(await asked('/posts')).toEqual(unwell)
        await expect.poll(statuses, { timeout: 20_000 }).toEqual(clients.map(() => 200))
        // One line for each request, and no stack.
        const lines = new Set(servers[1]?.stderr().trimEnd().split('\n'))
        expect(
          [...lines].filter(
            (line) => !/^The database (cannot be reached|refuses this server): \S/.test(line),
          ),
        ).toEqual([])
        await admin.query(`ALTER ROLE ${SECOND} LOGIN`)
        await expect.poll(async () => (await asked('/health-check')).status, { timeout: 20_000 }).toBe(200)
        const before = servers[1]?.stdout().split('GET /posts').length ?? 0
        const isBack = async () => {
          expect(await statuses()).toEqual(clients.map(() => 200))
          return (servers[1]?.stdout().split('GET /posts').length ?? 0) > before
        }
        await expect.poll(isBack, { timeout: 20_000 }).toBe(true)
      },
    )
  },
)
