import { describe, expect, it, onTestFinished } from 'vitest'
import type { StartOptions } from '../../../src/index.ts'
import { readEvents } from '../../../src/page/client/event-stream.ts'
import { type Guarded, serveViewers, VIEWERS, type ViewerName } from '../../support/http/viewers.ts'

/*
 * Access through a parent, over two steps: comments of tickets of projects, which have owners. `matrix.slow.test.ts` walks all
 * ways to a row; here is what only keys can do.
 */

type Resources = NonNullable<StartOptions['resources']>

const toAll = (...rule: string[]) => ({ read: rule, create: rule, update: rule, delete: rule })
const RESOURCES: Resources = {
  projects: { access: { ...toAll('owner', 'role:admin'), create: 'signed-in' } },
  tickets: { access: toAll('via:projectId', 'role:admin') },
  comments: { access: toAll('via:ticketId', 'role:admin') },
}
const DATA = {
  projects: [
    { id: 1, userId: 1 },
    { id: 2, userId: 2 },
  ],
  tickets: [
    { id: 1, projectId: 1 },
    { id: 2, projectId: '2' },
    { id: 3, projectId: 1 },
  ],
  comments: [
    { id: 1, ticketId: 1, text: 'first' },
    { id: 2, ticketId: 2, text: 'second' },
  ],
}

function serveVia(resources: Resources = RESOURCES, data: object = DATA, more: StartOptions = {}) {
  return serveViewers({ data: structuredClone(data), foreignKeySuffix: 'Id', resources, ...more })
}

async function said({ ask }: Guarded, who: ViewerName, method: string, path: string, body?: unknown) {
  const { status, headers, body: text } = await ask(who, method, path, body)
  return { status, headers, body: JSON.parse(text) }
}

async function idsOf(guarded: Guarded, who: ViewerName, path = '/comments'): Promise<unknown[]> {
  const { body, headers } = await said(guarded, who, 'GET', path)
  expect(headers['x-total-count']).toBe(String(body.length))
  return body.map(({ id }: { id: unknown }) => id)
}

describe('a row is reached', () => {
  it.each<[string, object, boolean]>([
    ['by a number', { ticketId: 1 }, true],
    ['by a text', { ticketId: '1' }, true],
    ['by no key', {}, false],
    ['by null', { ticketId: null }, false],
    ['by a key that names nothing', { ticketId: 99 }, false],
    ['by a key of another client', { ticketId: 2 }, false],
    ['by another spelling of the number', { ticketId: '01' }, false],
    ['by an object', { ticketId: { id: 1 } }, false],
    ['by two keys', { ticketId: [1, 3] }, false],
    ['by a nested key', { nested: { ticketId: 1 }, 'nested.ticketId': 1 }, false],
  ])('%s', async (_, key, isReached) => {
    const guarded = await serveVia(RESOURCES, { ...DATA, comments: [{ id: 1, ...key }] })
    expect(await idsOf(guarded, 'owner')).toEqual(isReached ? [1] : [])
    expect((await guarded.ask('owner', 'GET', '/comments/1')).status).toBe(isReached ? 200 : 404)
    expect((await guarded.ask('owner', 'POST', '/comments', key)).status).toBe(isReached ? 201 : 403)
    expect(await idsOf(guarded, 'admin')).toContain(1)
    expect(await idsOf(guarded, 'stranger')).toEqual('ticketId' in key && key.ticketId === 2 ? [1] : [])
  })

  it.each<[string, Resources]>([
    ['declares', { references: { about: { resource: 'tickets' } } } as never],
    ['owner names', { owner: 'about' } as never],
  ])('by a key that a setting %s', async (_, settings) => {
    const comments = { ...settings, access: { read: 'via:about' } }
    const users = [{ id: 1 }, { id: 2 }]
    const guarded = await serveVia(
      { ...RESOURCES, comments, users: { access: { read: 'owner' } } },
      { ...DATA, users, comments: [1, 2].map((id) => ({ id, about: id })) },
    )
    expect(await idsOf(guarded, 'owner')).toEqual([1])
  })

  it('by a client that is not logged in, if it may read the parent', async () => {
    const comments = { access: { ...toAll('via:ticketId'), update: 'nobody' } }
    const guarded = await serveVia(
      { comments },
      { ...DATA, comments: [...DATA.comments, { id: 3, ticketId: 9 }] },
    )
    expect(await idsOf(guarded, 'nobody')).toEqual([1, 2])
    expect((await guarded.ask('nobody', 'POST', '/comments', { ticketId: 1 })).status).toBe(401)
    expect((await guarded.ask('owner', 'POST', '/comments', { ticketId: 1 })).status).toBe(201)
    expect((await guarded.ask('owner', 'POST', '/comments', { ticketId: 9 })).status).toBe(403)
  })

  it('by its parent or its owner, whichever allows it', async () => {
    const comments = { access: toAll('owner', 'via:ticketId') }
    const all = [...DATA.comments, { id: 3, ticketId: 2, userId: 1 }, { id: 4, userId: 2 }]
    const guarded = await serveVia({ ...RESOURCES, comments }, { ...DATA, comments: all })
    expect(await idsOf(guarded, 'owner')).toEqual([1, 3])
    expect(await idsOf(guarded, 'stranger')).toEqual([2, 3, 4])
  })
})

describe('a row that moves to another parent', () => {
  const JSON_PATCH = { 'content-type': 'application/json-patch+json' }
  const moves = (to: unknown): [string, string, unknown, Record<string, string>?][] => [
    ['PATCH', '/comments/1', { ticketId: to }],
    ['PUT', '/comments/1', { ticketId: to }],
    ['PUT', '/comments/1?_upsert=true', { ticketId: to }],
    ['PATCH', '/comments?id=1', { ticketId: to }],
    ['PATCH', '/comments/1', [{ op: 'replace', path: '/ticketId', value: to }], JSON_PATCH],
    ['PATCH', '/comments/1', { ticketId: to }, { 'content-type': 'application/merge-patch+json' }],
  ]

  it.each([2, '2', 99, null])('needs access there, too: not to %j', async (to) => {
    const guarded = await serveVia()
    for (const [method, path, body, headers] of [...moves(to), ['PUT', '/comments/1', {}] as const]) {
      const { status, body: text } = await guarded.ask('owner', method, path, body, headers)
      expect([status, text], `${method} ${path}`).toEqual([
        403,
        expect.stringContaining(
          'Only admins and users who can update the row that ticketId names can update comments.',
        ),
      ])
    }
    expect((await said(guarded, 'owner', 'GET', '/comments/1')).body).toEqual(DATA.comments[0])
  })

  it('moves to one that the client may update', async () => {
    for (const [method, path, body, headers] of moves(3)) {
      const guarded = await serveVia()
      expect((await guarded.ask('owner', method, path, body, headers)).status, `${method} ${path}`).toBe(200)
    }
  })

  it('cannot come from a parent that the client may not update', async () => {
    const comments = { access: { ...toAll('via:ticketId'), read: 'anyone' } }
    const { ask } = await serveVia({ ...RESOURCES, comments })
    expect((await ask('owner', 'PATCH', '/comments/2', { ticketId: 1 })).status).toBe(403)
    expect((await ask('owner', 'DELETE', '/comments/2')).status).toBe(403)
    expect((await ask('owner', 'DELETE', '/comments?_all=true')).status).toBe(403)
  })

  it('is not smuggled to where its owner could not create it', async () => {
    const comments = { access: { read: 'anyone', create: 'via:ticketId', update: 'owner' } }
    const { ask } = await serveVia(
      { ...RESOURCES, comments },
      { ...DATA, comments: [{ id: 1, ticketId: 1, userId: 1 }] },
    )
    expect((await ask('owner', 'PATCH', '/comments/1', { ticketId: 2 })).status).toBe(403)
    expect((await ask('owner', 'PATCH', '/comments/1', { ticketId: 3, text: 'x' })).status).toBe(200)
  })
})

describe('new rows', () => {
  it.each<[string, string, unknown, number]>([
    ['POST', '/tickets/1/comments', {}, 201],
    ['POST', '/tickets/2/comments', {}, 403],
    ['POST', '/tickets/99/comments', {}, 403],
    ['POST', '/comments', [{ ticketId: 1 }, { ticketId: 2 }], 403],
    ['POST', '/comments', [{ ticketId: 1 }, { ticketId: 3 }], 201],
    ['PUT', '/comments/9?_upsert=true', { ticketId: 2 }, 403],
    ['PUT', '/comments/9?_upsert=true', { ticketId: 1 }, 201],
  ])('need access to all parents: %s %s %j is %i', async (method, path, body, status) => {
    const guarded = await serveVia()
    expect((await guarded.ask('owner', method, path, body)).status).toBe(status)
    const { body: all } = await said(guarded, 'admin', 'GET', '/comments')
    expect(all.length > 2).toBe(status === 201)
  })

  it('get no id that rows without a parent name, and only an admin may choose it', async () => {
    const orphan = { id: 3, ticketId: 4, text: 'SECRET' }
    const data = { ...DATA, comments: [...DATA.comments, orphan] }
    const guarded = await serveVia(RESOURCES, data)
    const made = await said(guarded, 'owner', 'POST', '/tickets', { projectId: 1 })
    expect(made.body.id).toBe(5)
    for (const [method, path] of [
      ['POST', '/tickets'],
      ['PUT', '/tickets/4?_upsert=true'],
    ] as const) {
      expect((await guarded.ask('owner', method, path, { id: 4, projectId: 1 })).status).toBe(403)
    }
    expect(await idsOf(guarded, 'owner')).toEqual([1])
    expect((await guarded.ask('admin', 'POST', '/tickets', { id: 4, projectId: 1 })).status).toBe(201)
    expect(await idsOf(guarded, 'owner')).toEqual([1, 3])
  })
})

describe('when a parent changes, so does what one reads', () => {
  const READS = [
    '/comments',
    '/comments/1',
    '/tickets?_embed=comments',
    '/tickets/1/comments',
    '/db',
    '/stats',
  ]

  it.each<[string, string, unknown?]>([
    ['PATCH', '/tickets/1', { projectId: 2 }],
    ['DELETE', '/tickets/1'],
    ['DELETE', '/projects/1'],
  ])('at once: %s %s', async (method, path, body) => {
    const guarded = await serveVia()
    const { ask } = guarded
    const read = async () => {
      const answers = await Promise.all(READS.map((each) => ask('owner', 'GET', each)))
      return answers.map(({ status, body: text }) => [status, text])
    }
    // Twice, so that caches answer.
    await read()
    const before = await read()
    const { etag = '' } = (await ask('owner', 'GET', '/comments/1')).headers
    expect((await ask('admin', method, path, body)).status).toBe(200)
    expect(await idsOf(guarded, 'owner')).toEqual([])
    expect((await read()).join()).not.toContain('first')
    expect((await ask('owner', 'GET', '/comments/1', undefined, { 'if-none-match': etag })).status).toBe(404)
    expect(await idsOf(guarded, 'stranger')).toEqual(method === 'PATCH' ? [1, 2] : [2])
    await ask('admin', 'POST', '/__undo', {})
    expect(await read()).toEqual(before)
  })

  it('in an event for all who see rows come or go, with their own count', async () => {
    const guarded = await serveVia()
    const who = ['owner', 'stranger', 'admin'] as const
    const streams = await Promise.all(who.map((each) => listen(guarded, each)))
    const heard: string[][] = [[], [], []]
    // Rows are counted when the event is sent: the next change waits for it.
    const hear = async (...listeners: readonly number[]) => {
      for (const at of listeners) {
        const { value = [] } = (await streams[at]?.next()) ?? {}
        const counts = value.map(({ name, count }) => `${name} ${count}`)
        heard[at]?.push(counts.sort().join(', '))
      }
    }
    await guarded.ask('admin', 'PATCH', '/tickets/1', { projectId: 2 })
    await hear(0, 1, 2)
    // Nothing is said in a new ticket.
    await guarded.ask('admin', 'POST', '/tickets', { projectId: 1 })
    await hear(0, 2)
    await guarded.ask('admin', 'DELETE', '/projects/2')
    await hear(1, 2)
    expect(heard).toEqual([
      ['comments 0, tickets 1', 'tickets 2'],
      ['comments 2, tickets 2', 'comments 0, projects 0, tickets 0'],
      ['tickets 3', 'tickets 4', 'projects 1'],
    ])
  })

  async function listen({ url }: Guarded, who: ViewerName) {
    const headers = VIEWERS[who] ? { 'x-viewer': VIEWERS[who] } : {}
    const { body } = await fetch(`${url}/__events`, { headers })
    if (!body) throw new Error('There is no stream.')
    const events = readEvents(body)
    onTestFinished(async () => void (await events.return(undefined)))
    return (async function* () {
      for await (const { type, data } of events) {
        if (type === 'change') yield JSON.parse(data).resources as { name: string; count: number }[]
      }
    })()
  }
})

describe('a deletion that takes rows along', () => {
  const comments = { access: { ...toAll('nobody'), read: 'via:ticketId' } }
  const data = { ...DATA, comments: [...DATA.comments, { id: 3, ticketId: 1, userId: 2 }] }

  it('is carried out, however rows below are reached, if a setting says so', async () => {
    const references = { ticketId: { resource: 'tickets', onDelete: 'cascade' as const } }
    const guarded = await serveVia({ ...RESOURCES, comments: { ...comments, references } }, data)
    expect((await guarded.ask('owner', 'DELETE', '/tickets/1')).status).toBe(200)
    expect((await guarded.server.db.getState()).comments).toEqual([DATA.comments[1]])
  })

  it.each<[string, StartOptions]>([
    ['/tickets/1?_dependent=comments', {}],
    ['/tickets/1', { cascade: true }],
  ])('is refused if the client asks for it: %s, %j', async (path, more) => {
    const { ask } = await serveVia({ ...RESOURCES, comments }, data, more)
    const { status, body } = await ask('owner', 'DELETE', path)
    expect([status, body]).toEqual([403, expect.stringContaining('Nobody can delete comments.')])
  })
})

describe('a chain', () => {
  const NAMES = ['as', 'bs', 'cs', 'ds', 'es', 'fs']

  it('is followed over five steps', async () => {
    const data = Object.fromEntries(
      NAMES.map((name, at) => [
        name,
        [1, 2].map((id) => ({ id, ...(NAMES[at + 1] ? { [`${name[0]}Parent`]: id } : { userId: id }) })),
      ]),
    )
    const resources = Object.fromEntries(
      NAMES.map((name, at) => {
        const next = NAMES[at + 1]
        const access = toAll(next ? `via:${name[0]}Parent` : 'owner')
        return [name, { access, ...(next && { references: { [`${name[0]}Parent`]: { resource: next } } }) }]
      }),
    )
    const guarded = await serveVia(resources, data)
    expect(await idsOf(guarded, 'owner', '/as')).toEqual([1])
    expect((await guarded.ask('owner', 'PATCH', '/as/1', { x: 1 })).status).toBe(200)
    expect((await guarded.ask('owner', 'PATCH', '/as/2', { x: 1 })).status).toBe(404)
  })

  it('of replies to replies ends after five, also in a circle of rows', async () => {
    const deep = Array.from({ length: 7 }, (_, at) => ({
      id: at + 1,
      ...(at === 0 ? { userId: 1 } : { replyId: at }),
    }))
    const circle = [
      { id: 8, replyId: 9 },
      { id: 9, replyId: 8 },
      { id: 10, replyId: 10 },
    ]
    const replies = { access: toAll('owner', 'via:replyId') }
    const guarded = await serveVia({ replies }, { replies: [...deep, ...circle] })
    expect(await idsOf(guarded, 'owner', '/replies')).toEqual([1, 2, 3, 4, 5, 6])
    expect(await idsOf(guarded, 'stranger', '/replies')).toEqual([])
    // A change far above.
    const { etag = '' } = (await guarded.ask('owner', 'GET', '/replies/6')).headers
    expect((await guarded.ask('owner', 'DELETE', '/replies/3')).status).toBe(200)
    expect(
      (await guarded.ask('owner', 'GET', '/replies/6', undefined, { 'if-none-match': etag })).status,
    ).toBe(404)
    expect(await idsOf(guarded, 'owner', '/replies')).toEqual([1, 2])
  })
})
