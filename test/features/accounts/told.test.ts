import { describe, expect, it, onTestFinished } from 'vitest'
import { readEvents } from '../../../src/page/client/event-stream.ts'
import { BOB, MEMBERS, members } from '../../support/http/members.ts'
import { type Guarded, serveViewers, VIEWERS, type ViewerName } from '../../support/http/viewers.ts'

/*
 * What is told of changes: history and changes, for admins, and events. Row 1 is the owner's, row 2 nobody's, `open`
 * everybody's.
 */

const DATA = {
  things: [
    { id: 1, name: 'SECRET', userId: 1 },
    { id: 2, name: 'SECRET' },
  ],
  open: [{ id: 1 }],
  settings: { userId: 1 },
}
const OWN = { read: ['owner', 'role:admin'], create: 'anyone', update: 'anyone', delete: 'anyone' }
const ALL = { read: 'anyone', create: 'anyone', update: 'anyone', delete: 'anyone' }
const NAMES = Object.keys(VIEWERS) as ViewerName[]

function serveOwned(data: object = DATA): Promise<Guarded> {
  return serveViewers({
    data: structuredClone(data),
    foreignKeySuffix: 'Id',
    resources: { things: { access: OWN }, settings: { access: OWN }, open: { access: ALL } },
  })
}

async function changes({ ask }: Guarded, since: number): Promise<Record<string, unknown>[]> {
  return JSON.parse((await ask('admin', 'GET', `/__changes?since=${since}`)).body).changes
}

async function versionOf({ ask }: Guarded): Promise<number> {
  return JSON.parse((await ask('admin', 'GET', '/__changes')).body).version
}

/** What each change is to whom: the admin, who sees all, makes it. */
const CHANGES: [
  string,
  [method: string, path: string, body?: unknown],
  Record<ViewerName, readonly string[]>,
][] = [
  [
    'a change of a row',
    ['PATCH', '/things/1', { name: 'new' }],
    { nobody: [], stranger: [], owner: ['update things 1'], admin: ['update things 1'] },
  ],
  [
    'a new row that is the admin’s own',
    ['POST', '/things', { name: 'SECRET' }],
    { nobody: [], stranger: [], owner: [], admin: ['create things 3'] },
  ],
  [
    'a deletion',
    ['DELETE', '/things/1'],
    { nobody: [], stranger: [], owner: ['delete things 1'], admin: ['delete things 1'] },
  ],
  [
    'a change of several rows',
    ['PATCH', '/things?_all=true', { name: 'x' }],
    { nobody: [], stranger: [], owner: ['update things 1'], admin: ['update things 1', 'update things 2'] },
  ],
  [
    'a change of the object',
    ['PATCH', '/settings', { name: 'x' }],
    { nobody: [], stranger: [], owner: ['update settings null'], admin: ['update settings null'] },
  ],
  [
    'a change of what everybody sees',
    ['PATCH', '/open/1', { name: 'x' }],
    {
      nobody: ['update open 1'],
      stranger: ['update open 1'],
      owner: ['update open 1'],
      admin: ['update open 1'],
    },
  ],
]

const described = (all: Record<string, unknown>[]) =>
  all.map(({ op, resource, id }) => `${op} ${resource} ${id}`)

describe.each(CHANGES)('%s', (_, [method, path, body], expected) => {
  it('is in the changes and in the history of admins', async () => {
    const guarded = await serveOwned()
    const since = await versionOf(guarded)
    expect((await guarded.ask('admin', method, path, body)).status).toBeLessThan(300)
    expect(described(await changes(guarded, since))).toEqual(expected.admin)
    const entries = JSON.parse((await guarded.ask('admin', 'GET', '/__history')).body)
    expect(entries).toMatchObject([{ method }])
    expect(described(entries[0].changes)).toEqual(expected.admin)
  })

  it('is an event for those who see the row, with their own count', async () => {
    const guarded = await serveOwned()
    const streams = await Promise.all(NAMES.map((who) => listen(guarded, who)))
    await guarded.ask('admin', method, path, body)
    // Everybody hears of this one: what came before it was not for them.
    await guarded.ask('admin', 'POST', '/open', {})
    for (const [at, who] of NAMES.entries()) {
      const events: Told[] = []
      for await (const told of streams[at] ?? []) {
        events.push(told)
        if (told.resources.some(({ name, count }) => name === 'open' && count === 2)) break
      }
      const before = events.slice(0, -1)
      expect(
        before.map(({ resources }) => resources.map(({ name }) => name)),
        who,
      ).toEqual(expected[who].length > 0 ? [[path.split(/[/?]/)[1]]] : [])
      const { count } = before[0]?.resources.find(({ name }) => name === 'things') ?? {}
      if (who === 'owner' && count !== undefined) expect(count).toBe(method === 'DELETE' ? 0 : 1)
    }
  })
})

it('shows an admin no row that only its owner may read', async () => {
  const access = { ...OWN, read: 'owner' }
  const guarded = await serveViewers({
    data: structuredClone(DATA),
    foreignKeySuffix: 'Id',
    resources: { things: { access }, open: { access: ALL } },
  })
  const since = await versionOf(guarded)
  await guarded.ask('owner', 'PATCH', '/things?_all=true', { name: 'SECRET' })
  await guarded.ask('owner', 'PATCH', '/open/1', { name: 'x' })
  expect(described(await changes(guarded, since))).toEqual(['update open 1'])
  const { body } = await guarded.ask('admin', 'GET', '/__history')
  expect(JSON.parse(body)).toHaveLength(1)
  expect(body).not.toContain('SECRET')
})

interface Told {
  readonly resources: readonly { readonly name: string; readonly count?: number }[]
}

/** The changes that somebody hears of, from now on, or since one. */
async function listen({ url }: Guarded, who: ViewerName, since?: number): Promise<AsyncGenerator<Told>> {
  const headers = {
    ...(VIEWERS[who] && { 'x-viewer': VIEWERS[who] }),
    ...(since !== undefined && { 'last-event-id': String(since) }),
  }
  const { body } = await fetch(`${url}/__events`, { headers })
  if (!body) throw new Error('There is no stream.')
  const events = readEvents(body)
  onTestFinished(async () => void (await events.return(undefined)))
  return (async function* () {
    for await (const { type, data } of events) if (type === 'change') yield JSON.parse(data)
  })()
}

describe('the events that somebody missed', () => {
  it('are those of rows that may be seen', async () => {
    const guarded = await serveOwned()
    const since = await versionOf(guarded)
    await guarded.ask('admin', 'PATCH', '/things/1', { name: 'x' })
    await guarded.ask('admin', 'PATCH', '/things/2', { name: 'x' })
    await guarded.ask('admin', 'PATCH', '/open/1', { name: 'x' })
    const heard = async (who: ViewerName) => {
      const names: string[] = []
      for await (const { resources } of await listen(guarded, who, since)) {
        names.push(...resources.map(({ name }) => name))
        if (names.includes('open')) return names
      }
      return names
    }
    expect(await heard('admin')).toEqual(['things', 'things', 'open'])
    expect(await heard('owner')).toEqual(['things', 'open'])
    expect(await heard('stranger')).toEqual(['open'])
    expect(await heard('nobody')).toEqual(['open'])
  })
})

describe('the events of requests', () => {
  const withoutAccess = () => serveViewers({ data: structuredClone(DATA), resources: {} })

  it.each<[ViewerName, string, () => Promise<Guarded>, boolean]>([
    ['nobody', 'with access', serveOwned, false],
    ['owner', 'with access', serveOwned, false],
    ['admin', 'with access', serveOwned, true],
    ['nobody', 'without access', withoutAccess, false],
    ['owner', 'without access', withoutAccess, false],
    ['admin', 'without access', withoutAccess, true],
  ])('are for admins: %s, %s', async (who, _, open, isHeard) => {
    const { url, ask } = await open()
    // Somebody listens, so that requests are recorded; and there is a backlog.
    const admin = await fetch(`${url}/__events`, { headers: { 'x-viewer': VIEWERS.admin } })
    onTestFinished(async () => void (await admin.body?.cancel()))
    await ask('owner', 'GET', '/things/1')
    const headers = VIEWERS[who] === undefined ? {} : { 'x-viewer': VIEWERS[who] }
    const { body } = await fetch(`${url}/__events`, { headers })
    if (!body) throw new Error('There is no stream.')
    await ask('owner', 'GET', '/things/1')
    await ask('admin', 'POST', '/open', {})
    const types: string[] = []
    const events = readEvents(body)
    onTestFinished(async () => void (await events.return(undefined)))
    for await (const { type } of events) {
      types.push(type)
      if (type === 'change') break
    }
    expect(types.includes('request')).toBe(isHeard)
  })
})

describe('events of resources that a client may not read', () => {
  const secret = { read: 'signed-in', create: 'signed-in', update: 'owner', delete: 'owner' } as const
  const admins = { ...secret, read: 'role:admin' } as const
  const settings = { resources: { secret: { access: secret }, admins: { access: admins } } }
  const data = { ...MEMBERS, secret: [{ id: 1 }], admins: [{ id: 1 }] }

  it.each(['secret', 'admins', 'secret,users', 'secret&resource=admins'])(
    'are refused as a GET of these is: %s',
    async (names) => {
      const { server, ask, login } = await members(settings, data)
      const { headers } = await login(BOB.email, BOB.password)
      const events = (head = {}) =>
        server.fetch(`/__events?resource=${names}`, { method: 'HEAD', headers: head })
      const [first = ''] = names.split(/[,&]/)
      expect((await events()).status).toBe((await ask('GET', `/${first}`)).status)
      expect((await ask('GET', `/__events?resource=${names}`)).body.message).toBe(
        (await ask('GET', `/${first}`)).body.message,
      )
      expect((await events(headers)).status).toBe(names === 'admins' ? 403 : 200)
    },
  )

  it('are left out beside those that it may read', async () => {
    const { ask } = await members(settings, data)
    expect((await ask('HEAD', '/__events?resource=secret,posts')).status).toBe(200)
    expect((await ask('HEAD', '/__events')).status).toBe(200)
  })
})
