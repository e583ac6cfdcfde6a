import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { Answer } from '../../support/http/exchange.ts'
import { type Guarded, serveViewers, type ViewerName } from '../../support/http/viewers.ts'
import { runs } from '../../support/length.ts'

/*
 * Answers are kept, and shared while they are made. Whatever several clients read and write, each must get what a plain
 * model says that it may see: nobody else's answer, and none of before.
 */

interface Thing {
  readonly id: number
  readonly n: number
  readonly text: string
  readonly userId?: number
}

type Who = ViewerName | '2:user' | '3:user'

const USERS: Record<string, number | undefined> = {
  nobody: undefined,
  owner: 1,
  '2:user': 2,
  '3:user': 3,
  admin: 9,
}
/** So long that they are written out in slices, and others ask meanwhile. */
const COUNT = 900
const TEXT = 'x'.repeat(120)

function thingsAtFirst(): Thing[] {
  return Array.from({ length: COUNT }, (_, at) => ({
    id: at + 1,
    n: at % 5,
    text: TEXT,
    ...(at % 4 > 0 && { userId: at % 4 }),
  }))
}

function serveThings(things: readonly Thing[]): Promise<Guarded> {
  return serveViewers({
    data: {
      things: structuredClone(things),
      parts: [
        { id: 1, thingId: 1 },
        { id: 2, thingId: 2 },
      ],
    },
    noGzip: true,
    resources: {
      things: {
        access: { read: ['owner', 'role:admin'], create: 'signed-in', update: 'owner', delete: 'owner' },
      },
    },
  })
}

/** What somebody may see. */
function seen(things: readonly Thing[], who: Who): readonly Thing[] {
  if (who === 'admin') return things
  const user = USERS[who]
  return things.filter(({ userId }) => user !== undefined && userId === user)
}

/** What a path finds among the rows that are there. */
const READS: [path: (id: number) => string, find: (things: readonly Thing[], id: number) => unknown][] = [
  [() => '/things', (things) => things],
  [() => '/things?n_gte=3', (things) => things.filter(({ n }) => n >= 3)],
  [() => '/things?n=1&_fields=id', (things) => things.filter(({ n }) => n === 1).map(({ id }) => ({ id }))],
  [() => '/things?_page=1&_limit=5', (things) => things.slice(0, 5)],
  [(id) => `/things/${id}`, (things, id) => things.find((thing) => thing.id === id) ?? {}],
  [
    () => '/parts?_expand=thing',
    (things) =>
      [1, 2].map((id) => {
        const thing = things.find((each) => each.id === id)
        return { id, thingId: id, ...(thing && { thing }) }
      }),
  ],
  [
    () => '/db',
    (things) => ({
      things,
      parts: [
        { id: 1, thingId: 1 },
        { id: 2, thingId: 2 },
      ],
    }),
  ],
  [() => '/stats', (things) => ({ things: things.length, parts: 2 })],
]

/** What nobody logged in is told. */
function expectedOf(
  read: number,
  things: readonly Thing[],
  who: Who,
  id: number,
): { status: number; body?: unknown } {
  const [path, find] = READS[read] ?? [() => '', () => undefined]
  const isAbout = path(1).startsWith('/things')
  if (who === 'nobody' && isAbout) return { status: 401 }
  const body = find(seen(things, who), id)
  const isMissing = path(1) === '/things/1' && JSON.stringify(body) === '{}'
  if (who === 'nobody' && !path(1).startsWith('/parts')) {
    const { things: _, ...rest } = Object(body)
    return { status: 200, body: rest }
  }
  return { status: isMissing ? 404 : 200, body }
}

const who = fc.constantFrom<Who>('nobody', 'owner', '2:user', '3:user', 'admin')
const id = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 895, max: 906 }))
type Step =
  | {
      readonly who: Who
      readonly method: 'PATCH' | 'DELETE' | 'POST'
      readonly id: number
      readonly n: number
    }
  | { readonly asks: readonly (readonly [Who, read: number, id: number])[] }
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      who,
      method: fc.constantFrom('PATCH', 'DELETE', 'POST'),
      id,
      n: fc.nat({ max: 5 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      asks: fc.array(fc.tuple(who, fc.nat({ max: READS.length - 1 }), id), { minLength: 2, maxLength: 8 }),
    }),
  },
)

/** What a write does to the model; the status it must have. */
function apply(things: Thing[], { who, method, id: at, n }: Extract<Step, { method: string }>): number {
  const user = USERS[who]
  if (user === undefined) return 401
  if (method === 'POST') {
    const next = Math.max(...things.map((thing) => thing.id)) + 1
    things.push({ n, text: TEXT, userId: user, id: next } as Thing)
    return 201
  }
  const place = things.findIndex((thing) => thing.id === at)
  const old = things[place]
  if (!old || !seen(things, who).includes(old)) return 404
  if (old.userId !== user) return 403
  if (method === 'DELETE') things.splice(place, 1)
  else things[place] = { ...old, n }
  return 200
}

describe('several clients that read and write', () => {
  it('get what each of them may see, now', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 18 }), async (steps) => {
        const things = thingsAtFirst()
        const { ask, server } = await serveThings(things)
        const tags = new Map<string, string>()
        for (const next of steps) {
          if ('method' in next) {
            const { method, n } = next
            const path = method === 'POST' ? '/things' : `/things/${next.id}`
            const body =
              method === 'DELETE' ? undefined : { n, ...(method === 'POST' && { text: TEXT, userId: 3 }) }
            const answer = await ask(next.who as ViewerName, method, path, body)
            expect(answer.status, `${next.who} ${method} ${path}`).toBe(apply(things, next))
            continue
          }
          // All at the same time, twice: the first of each makes the answer, the others share or repeat it.
          const asked = [...next.asks, ...next.asks]
          const answers = await Promise.all(
            asked.map(([client, read, at]) => {
              const path = READS[read]?.[0](at) ?? ''
              const tag = tags.get(path)
              // The tag of whoever asked last, maybe another.
              return ask(client as ViewerName, 'GET', path, undefined, tag ? { 'if-none-match': tag } : {})
            }),
          )
          for (const [at, [client, read, row]] of asked.entries()) {
            check(answers[at], expectedOf(read, things, client, row), `${client} ${READS[read]?.[0](row)}`)
            const tag = answers[at]?.headers.etag
            if (tag) tags.set(READS[read]?.[0](row) ?? '', tag)
            if (tag && answers[at]?.status === 200) bodies.set(tag, answers[at]?.body ?? '')
          }
        }
        await server.close()
      }),
      runs(8),
    )
  })
})

/** What each tag was sent with. */
const bodies = new Map<string, string>()

function check(answer: Answer | undefined, expected: { status: number; body?: unknown }, name: string): void {
  const { status, body, headers } = answer ?? { status: 0, body: '', headers: {} }
  if (status !== 304) expect(status, name).toBe(expected.status)
  if (expected.body === undefined) return
  // Not modified: since the answer with that tag, whoever got it.
  const text = status === 304 ? (bodies.get(headers.etag ?? '') ?? '') : body
  expect(JSON.parse(text), name).toEqual(expected.body)
}

describe('the answers', () => {
  const stringify = vi.spyOn(JSON, 'stringify')
  /** How often something was written out as answers are: with two spaces. */
  const rendered = () => stringify.mock.calls.filter(([, , indent]) => indent === 2).length
  const CLIENTS = ['owner', '2:user', '3:user', 'admin'] as const

  it('are written out once for each who sees rows of their own', async () => {
    const { ask } = await serveThings(thingsAtFirst())
    const counts: number[] = []
    for (const client of [...CLIENTS, ...CLIENTS, ...CLIENTS]) {
      stringify.mockClear()
      expect((await ask(client, 'GET', '/things?_limit=3')).status).toBe(200)
      counts.push(rendered())
    }
    expect(counts).toEqual([1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0])
  })

  it('are written out once for all who see the same', async () => {
    const { ask } = await serveViewers({
      data: { things: thingsAtFirst(), users: [] },
      noGzip: true,
      resources: { things: { access: { update: 'owner' } }, users: { access: { read: 'anyone' } } },
    })
    stringify.mockClear()
    for (const client of [...CLIENTS, 'nobody' as const]) await ask(client, 'GET', '/things?_limit=3')
    expect(rendered()).toBe(1)
  })

  it('say by what they differ', async () => {
    const { ask } = await serveThings(thingsAtFirst())
    const { headers } = await ask('owner', 'GET', '/things/1')
    expect(headers.vary).toContain('Authorization')
    expect(headers.vary).toContain('Cookie')
  })
})
