import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type RunningServer, type StartOptions, start } from '../../src/index.ts'
import { asking } from '../support/http/asking.ts'
import { listenTo } from '../support/http/listen-to.ts'
import { ADA, BOB } from '../support/http/members.ts'
import { hasPostgres, SKIPPED } from '../support/postgres/cluster.ts'
import { filledAddress } from '../support/postgres/fill.ts'

const DATA = {
  posts: [
    { id: 1, title: 'a' },
    { id: 2, title: 'b' },
    { id: 3, title: 'c' },
  ],
  comments: [
    { id: 1, postId: 1 },
    { id: 2, postId: 3 },
  ],
  profile: { name: 'x' },
}

/** A request to one of the servers. `$2` stands for the version of the second change. */
type Step = readonly [who: 'A' | 'B', method: string, path: string, body?: unknown]

const SCRIPTS: readonly (readonly [string, readonly Step[]])[] = [
  [
    'an undo here and a redo there',
    [
      ['A', 'POST', '/posts', { title: 'd' }],
      ['B', 'PATCH', '/posts/1', { title: 'e' }],
      ['A', 'POST', '/__undo', {}],
      ['B', 'POST', '/__redo', {}],
      ['B', 'POST', '/__undo', {}],
      ['A', 'POST', '/__undo', {}],
      ['B', 'POST', '/__undo', {}],
      ['A', 'POST', '/__redo', {}],
    ],
  ],
  [
    'a new change there, which empties redo here',
    [
      ['A', 'DELETE', '/posts/2'],
      ['A', 'POST', '/__undo', {}],
      ['B', 'PUT', '/profile', { name: 'y' }],
      ['A', 'POST', '/__redo', {}],
      ['A', 'POST', '/__undo', {}],
      ['B', 'POST', '/__redo', {}],
    ],
  ],
  [
    'the way to any version',
    [
      ['A', 'POST', '/posts', { title: 'd' }],
      ['B', 'DELETE', '/posts/1'],
      ['A', 'PATCH', '/posts/2', { title: 'f' }],
      ['B', 'POST', '/__undo', { to: '$1' }],
      ['A', 'POST', '/__undo', { to: '$3' }],
      ['A', 'POST', '/__redo', { to: '$2' }],
      ['B', 'POST', '/__redo', { to: '$3' }],
      ['A', 'POST', '/__undo', { to: '$0' }],
      ['B', 'POST', '/__redo', { to: '$1' }],
      ['B', 'POST', '/__undo', { to: '$90' }],
      ['B', 'POST', '/__undo', { to: 'x' }],
    ],
  ],
  [
    'what happened since any version',
    [
      ['A', 'POST', '/posts', { title: 'd' }],
      ['B', 'DELETE', '/posts/3'],
      ['B', 'GET', '/__changes?since=$0'],
      ['A', 'GET', '/__changes?since=$1'],
      ['B', 'GET', '/__changes?since=$2'],
      ['A', 'GET', '/__changes?since=$3'],
      ['A', 'GET', '/__changes?since=5'],
      ['A', 'POST', '/__undo', {}],
      ['B', 'GET', '/__changes?since=$2'],
    ],
  ],
  [
    'a list in pages',
    [
      ...Array.from({ length: 7 }, (_, at): Step => [at % 2 ? 'A' : 'B', 'POST', '/posts', { at }]),
      ['A', 'GET', '/__history?_limit=3'],
      ['B', 'GET', '/__history?_limit=3&_before=$5'],
      ['A', 'GET', '/__history?_before=$2'],
    ],
  ],
  [
    'a reset, which ends it everywhere',
    [
      ['A', 'POST', '/posts', { title: 'd' }],
      ['A', 'POST', '/posts', { title: 'e' }],
      ['B', 'POST', '/__undo', {}],
      ['B', 'POST', '/__reset', {}],
      ['A', 'GET', '/__history'],
      ['A', 'POST', '/__undo', {}],
      ['A', 'POST', '/__redo', {}],
      ['A', 'GET', '/__changes?since=$3'],
      ['A', 'GET', '/__changes?since=$4'],
      ['A', 'POST', '/posts', { title: 'f' }],
      ['B', 'POST', '/__undo', {}],
    ],
  ],
  [
    'changes that leave nothing behind',
    [
      ['A', 'POST', '/posts', [{ id: 1 }]],
      ['B', 'POST', '/posts?_isFake=true', { title: 'd' }],
      ['B', 'PATCH', '/posts/99', { title: 'e' }],
      ['A', 'GET', '/__changes?since=$0'],
    ],
  ],
]

type Answer = Awaited<ReturnType<Asking>>
type Asking = ReturnType<typeof asking>

interface Served {
  readonly server: RunningServer
  readonly ask: Asking
}

async function opened(options: StartOptions): Promise<Served> {
  const server = await start({ quiet: true, ...options })
  return { server, ask: asking(server.url) }
}

/** Until the test ends. */
async function serve(options: StartOptions): Promise<Served> {
  const served = await opened(options)
  onTestFinished(() => served.server.close())
  return served
}

/** The address of a database with this data. */
async function filled(data: object): Promise<string> {
  return filledAddress(JSON.parse(JSON.stringify(data)))
}

/** Two servers of one database, and the way to start another. */
async function serveTwice(data: object = DATA, options: StartOptions = {}) {
  const source = await filled(data)
  const another = () => serve({ source, ...options })
  return { a: await another(), b: await another(), another, source }
}

async function versionOf({ ask }: Served, headers: Record<string, string> = {}): Promise<number> {
  return (await ask('GET', '/__changes', undefined, headers)).body.version
}

/** An answer with versions as numbers of changes, and without times. */
function plain({ status, body }: Answer, start: number): unknown {
  const text = JSON.stringify({ status, body }).replace(/"at":"\d{4}-[^"]*",/g, '')
  return JSON.parse(
    text.replace(/\b\d{13}\b/g, (number) => {
      const count = Number(number) - start
      return Math.abs(count) < 100 ? String(count) : number
    }),
  )
}

function withVersions(text: string, start: number): string {
  return text.replace(/"?\$(\d+)"?/g, (_, count: string) => `${start + Number(count)}`)
}

/** What the servers answer to a script, and what each of them tells in the end. */
async function play(steps: readonly Step[], servers: { readonly A: Served; readonly B: Served }) {
  const start = await versionOf(servers.A)
  const answers: unknown[] = []
  for (const [who, method, path, body] of steps) {
    const sent = body === undefined ? undefined : JSON.parse(withVersions(JSON.stringify(body), start))
    answers.push(plain(await servers[who].ask(method, withVersions(path, start), sent), start))
  }
  const tell = async ({ ask }: Served) =>
    Promise.all(
      ['/__history', '/__history?_limit=2', '/db'].map(async (path) => plain(await ask('GET', path), start)),
    )
  return { answers, tell }
}

describe.skipIf(!hasPostgres)(`two servers of one database${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  describe('answer as one server of a file does to', () => {
    const all: Served[] = []
    let source = ''
    beforeAll(async () => {
      source = await filled(DATA)
      const data = JSON.parse(JSON.stringify(DATA))
      for (const options of [{ source }, { source }, { data }]) all.push(await opened(options))
    })
    afterAll(async () => {
      for (const { server } of all) await server.close()
    })

    it.each(SCRIPTS)('%s', async (_, steps) => {
      const [a, b, alone] = all
      if (!a || !b || !alone) throw new Error('Three servers were started.')
      for (const { ask } of [a, alone]) await ask('POST', '/__reset', {})
      const expected = await play(steps, { A: alone, B: alone })
      const { answers, tell } = await play(steps, { A: a, B: b })
      expect(answers).toEqual(expected.answers)
      const told = await expected.tell(alone)
      for (const each of [a, b, await serve({ source })]) expect(await tell(each)).toEqual(told)
    })
  })

  it('go on where they were when they start again', async () => {
    const { a, b, another } = await serveTwice()
    await a.ask('DELETE', '/posts/1')
    await b.ask('DELETE', '/posts/2')
    await a.ask('POST', '/__undo', {})
    const [before, since] = [await a.ask('GET', '/__history'), await versionOf(a)]
    await a.server.close()
    await b.server.close()
    const again = await another()
    expect(await again.ask('GET', '/__history')).toMatchObject({ status: 200, body: before.body })
    expect(await versionOf(again)).toBe(since)
    expect(await again.ask('GET', `/__changes?since=${since - 1}`)).toMatchObject({
      status: 200,
      body: { version: since, changes: [{ op: 'create', id: 2 }] },
    })
    expect((await again.ask('POST', '/__redo', {})).status).toBe(200)
    expect((await again.ask('POST', '/__undo', { to: since - 3 })).status).toBe(200)
    expect((await again.ask('GET', '/db')).body).toEqual(DATA)
  })

  it('take back one change after the other when all undo at the same time, none twice', async () => {
    const { a, b, another } = await serveTwice()
    const start = await versionOf(a)
    for (let at = 0; at < 10; at++) await (at % 2 ? a : b).ask('POST', '/posts', { at })
    const asked = Array.from({ length: 14 }, (_, at) => (at % 2 ? a : b).ask('POST', '/__undo', {}))
    const answers = await Promise.all(asked)
    const undone = answers.flatMap(({ body }): number[] => body.undone ?? [])
    expect(undone.toSorted()).toEqual(Array.from({ length: 10 }, (_, at) => start + 1 + at))
    const refused = answers.filter(({ status }) => status === 409).map(({ body }) => body.code)
    expect(refused).toEqual(Array(4).fill('NOTHING_TO_UNDO'))
    for (const each of [a, b, await another()]) expect((await each.ask('GET', '/db')).body).toEqual(DATA)
  })

  it('tell what happened up to now, even if one of them has not heard of it yet', async () => {
    const { a, b, source } = await serveTwice()
    await stopListening(source)
    await a.ask('POST', '/posts', { title: 'd' })
    const version = await versionOf(a)
    const [changes, history] = await Promise.all([
      b.ask('GET', `/__changes?since=${version}`),
      b.ask('GET', '/__history'),
    ])
    expect(changes).toMatchObject({ status: 200, body: { version, changes: [] } })
    expect(history.body).toMatchObject([{ version }])
  })

  it('resume from an event that they have not heard themselves yet', async () => {
    const { a, b, source } = await serveTwice()
    await stopListening(source)
    await a.ask('POST', '/posts', { title: 'd' })
    const version = await versionOf(a)
    const next = await listen(b, version, /gone|change/)
    await a.ask('DELETE', '/posts/1')
    expect(await next()).toMatchObject({ id: String(version + 1), type: 'change' })
  })

  it('hear the same events, and resume the stream of the other', async () => {
    const { a, b } = await serveTwice()
    const start = await versionOf(a)
    const streams = [await listen(a), await listen(b)]
    const heard: unknown[] = []
    const steps = [
      () => a.ask('POST', '/posts', { title: 'd' }),
      () => b.ask('DELETE', '/posts/1'),
      () => a.ask('POST', '/__undo', {}),
    ]
    for (const [at, step] of steps.entries()) {
      await step()
      const [one, two] = await Promise.all(streams.map((next) => next()))
      expect(one).toEqual(two)
      expect(one?.id).toBe(String(start + 1 + at))
      heard.push(one)
    }
    for (const server of [a, b]) {
      const next = await listen(server, start + 1)
      expect([await next(), await next()]).toEqual(heard.slice(1))
      const gone = await listen(server, start - 1, /gone/)
      expect(await gone()).toMatchObject({ id: String(start + 3) })
    }
    await b.ask('POST', '/__reset', {})
    const ended = await listen(a, start + 3, /gone/)
    expect(await ended()).toMatchObject({ id: String(start + 4) })
  })

  it('give a deleted user back with the password, which no answer shows', async () => {
    const users = [ADA, { ...BOB, password: ADA.password }]
    const { a, b, another } = await serveTwice({ users }, { middlewares: ['accounts'] })
    const start = await versionOf(a, await loggedIn(a))
    const bob = await loggedIn(a, BOB.email)
    const sent = { password: 'another-password', currentPassword: 'password-of-ada' }
    expect((await a.ask('PATCH', '/users/2', sent, bob)).status).toBe(200)
    const changed = await loggedIn(a, BOB.email, 'another-password')
    expect((await a.ask('DELETE', '/users/2', undefined, changed)).status).toBe(200)
    await expect(loggedIn(b, BOB.email, 'another-password')).rejects.toThrow('401')
    const later = await another()
    expect((await later.ask('POST', '/__undo', {}, await loggedIn(later))).status).toBe(200)
    await loggedIn(b, BOB.email, 'another-password')
    expect((await b.ask('POST', '/__undo', {}, await loggedIn(b))).status).toBe(200)
    await loggedIn(later, BOB.email)
    await expect(loggedIn(later, BOB.email, 'another-password')).rejects.toThrow('401')
    for (const each of [a, b, later]) {
      const headers = await loggedIn(each)
      for (const path of ['/__history', `/__changes?since=${start}`]) {
        const { status, body } = await each.ask('GET', path, undefined, headers)
        expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining('"id":2')])
        expect(JSON.stringify(body)).not.toMatch(/\$2b\$|password"/)
      }
    }
  })

  it('hide in the past what their settings hide by now', async () => {
    const { a, b, source } = await serveTwice({ users: [ADA] })
    await a.ask('POST', '/users', { id: 7, email: 'eve@example.com', password: ADA.password })
    expect(JSON.stringify((await b.ask('GET', '/__history')).body)).toContain(ADA.password)
    const guarded = await serve({ source, middlewares: ['accounts'] })
    const history = await guarded.ask('GET', '/__history', undefined, await loggedIn(guarded))
    expect(history.body).toMatchObject([{ changes: [{ after: { id: 7, email: 'eve@example.com' } }] }])
    expect(JSON.stringify(history.body)).not.toContain(ADA.password)
  })
})

/** The headers of a user's requests. */
async function loggedIn({ ask }: Served, email = ADA.email, password = 'password-of-ada') {
  const { status, body } = await ask('POST', '/login', { email, password })
  if (status !== 200) throw new Error(String(status))
  return { authorization: `Bearer ${body.accessToken}` }
}

/** The next event of these kinds, each time. */
function listen({ server }: Served, last?: number, types?: RegExp) {
  const headers: Record<string, string> = last === undefined ? {} : { 'Last-Event-ID': String(last) }
  return listenTo(server.url, { headers, ...(types && { types }) })
}

/** Both listen again after a while. */
async function stopListening(source: string): Promise<void> {
  const listeners = await inDatabase(
    source,
    (schema) =>
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN "restable_${schema}"'`,
  )
  expect(listeners).toBe(2)
}

/** How many rows it was about. */
async function inDatabase(source: string, statement: (schema: string) => string): Promise<number | null> {
  const { default: pg } = await import('pg')
  const client = new pg.Client(source.replace(/&schema=.*/, ''))
  await client.connect()
  const { rowCount } = await client.query(statement(/schema=(\w+)/.exec(source)?.[1] ?? ''))
  await client.end()
  return rowCount
}
