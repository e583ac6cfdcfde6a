import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, start } from '../../src/index.ts'
import { asking } from '../support/http/asking.ts'
import { hasPostgres, SKIPPED } from '../support/postgres/cluster.ts'
import { filledAddress } from '../support/postgres/fill.ts'

interface Item {
  readonly id: number
  readonly group: number
  readonly by: string
}

interface Entry {
  readonly method: string
  readonly url: string
  readonly changes: readonly { readonly id: number; readonly op: string; readonly after?: Item }[]
}

const DATA = {
  items: Array.from({ length: 30 }, (_, at) => ({ id: at + 1, group: at % 3, by: '' })),
  users: [{ id: 1, email: 'first' }],
  notes: [],
}

type Ask = readonly [server: number, method: string, path: string, body?: unknown]

/** Sent together, to two servers. Of users, two and two are in each other's way, and no note can be made. */
const ASKS = Array.from({ length: 12 }, (_, nth): readonly Ask[] => {
  const [server, group] = [nth % 2, nth % 3]
  const emails = [`a ${nth}`, `pair ${nth >> 1}`, `b ${nth}`]
  return [
    [server, 'PATCH', `/items?group=${group}`, { by: `patch ${nth}` }],
    [server, 'POST', '/items', Array(3).fill({ group, by: `post ${nth}` })],
    [server, 'POST', '/users', emails.map((email) => ({ email }))],
    [server, 'POST', '/notes', [{ userId: 1 }, { userId: 1000 }]],
    ...(nth % 4 === 3 ? [[server, 'DELETE', `/items?group=${group}`] as const] : []),
  ]
}).flat()

describe.skipIf(!hasPostgres)(`changes of many rows${hasPostgres ? '' : ` (${SKIPPED})`}`, () => {
  const servers: RunningServer[] = []
  let asks: readonly ReturnType<typeof asking>[]
  beforeAll(async () => {
    const source = await filledAddress(DATA)
    const resources = {
      users: { unique: ['email'] },
      notes: { references: { userId: { resource: 'users' } } },
    }
    for (const _ of [1, 2])
      servers.push(await start({ source, resources, foreignKeySuffix: 'Id', quiet: true }))
    asks = servers.map(({ url }) => asking(url))
  })
  afterAll(async () => {
    for (const server of servers) await server.close()
  })

  it('are made as a whole or not at all, one after the other, whichever server they come to', async () => {
    const sent = ASKS.map(async ([server, method, path, body]) => {
      const answer = await asks[server]?.(method, path, body)
      return { method, path, body, status: answer?.status, found: answer?.body }
    })
    const answers = await Promise.all(sent)
    const statuses = (path: string) =>
      answers.filter((each) => each.path === path).map(({ status }) => status)
    expect(statuses('/notes')).toEqual(Array(12).fill(422))
    expect(statuses('/users').toSorted()).toEqual([...Array(6).fill(201), ...Array(6).fill(409)])
    const made = answers.filter(({ path, status }) => path === '/users' && status === 201)
    const [ask] = asks
    const db = (await ask?.('GET', '/db'))?.body
    expect((await asks[1]?.('GET', '/db'))?.body).toEqual(db)
    // Whoever was refused has left nothing.
    expect(new Set(db.users.slice(1).map(({ email }: { email: string }) => email))).toEqual(
      new Set(made.flatMap(({ body }) => Object.values(Object(body)).map((row) => Object(row).email))),
    )
    expect(db.notes).toEqual([])
    // Each found the rows of its group as the one before it had left them, all of them.
    const history: readonly Entry[] = (await ask?.('GET', '/__history?_limit=1000'))?.body
    const model = new Map<number, Item>(DATA.items.map((item) => [item.id, item]))
    const steps = history.toReversed().filter(({ url }) => url.startsWith('/items'))
    const patched = answers.filter(({ method, found }) => method === 'PATCH' && found.length > 0)
    expect(steps).toHaveLength(patched.length + 12 + 3)
    for (const { method, url, changes } of steps) {
      const ids = changes.map(({ id }) => id).toSorted((a, b) => a - b)
      const group = Number(/group=(\d)/.exec(url)?.[1])
      const found = [...model.values()].filter((item) => item.group === group).map(({ id }) => id)
      if (method === 'POST') expect(ids.filter((id) => model.has(id))).toEqual([])
      else expect(ids).toEqual(found.toSorted((a, b) => a - b))
      expect(new Set(changes.map(({ after }) => after?.by)).size).toBe(Math.min(1, ids.length))
      for (const { id, after } of changes) {
        if (after) model.set(id, after)
        else model.delete(id)
      }
    }
    expect(db.items).toEqual([...model.values()])
  })
})
