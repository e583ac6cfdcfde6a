import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type RunningServer, start } from '../../../src/index.ts'
import { fileOf } from '../../support/folder.ts'
import { runs } from '../../support/length.ts'

const SESSIONS = 16

interface Post {
  id: number
  title: string
  group: number
}

/** Enough that indexes are used. */
const POSTS: readonly Post[] = Array.from({ length: 120 }, (_, at) => ({
  id: at + 1,
  title: `title ${at}`,
  group: at % 7,
}))

async function servePosts(posts = POSTS): Promise<{ server: RunningServer; file: string }> {
  const file = fileOf({ posts })
  const server = await start({ source: file })
  onTestFinished(() => server.close())
  return { server, file }
}

/** A client, and a plain list that behaves as its data must. */
class Client {
  readonly #url: string
  readonly #headers: Record<string, string>
  model: Post[]

  constructor(url: string, name: string | undefined, model: readonly Post[]) {
    this.#url = url
    this.#headers = name === undefined ? {} : { 'X-Mock-Session': name }
    this.model = structuredClone([...model])
  }

  async ask(path: string, method = 'GET', body?: object) {
    const headers = { ...this.#headers, 'content-type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`${this.#url}${path}`, init)
    return { response, body: (await response.json()) as unknown }
  }

  async add(title: string): Promise<void> {
    const row = { id: Math.max(0, ...this.model.map(({ id }) => id)) + 1, title, group: 3 }
    this.model.push(row)
    expect((await this.ask('/posts', 'POST', { title, group: 3 })).body).toEqual({
      title,
      group: 3,
      id: row.id,
    })
  }

  async change(at: number, group: number): Promise<void> {
    const row = this.model[at % this.model.length]
    if (!row) return
    row.group = group
    expect((await this.ask(`/posts/${row.id}`, 'PATCH', { group })).body).toEqual(row)
  }

  async remove(at: number): Promise<void> {
    const [row] = this.model.splice(at % Math.max(1, this.model.length), 1)
    if (!row) return
    expect((await this.ask(`/posts/${row.id}`, 'DELETE')).response.status).toBe(200)
    expect((await this.ask(`/posts/${row.id}`)).response.status).toBe(404)
  }

  async check(number: number): Promise<void> {
    const group = number % 7
    const all = await this.ask('/posts')
    expect(all.response.headers.get('x-total-count')).toBe(String(this.model.length))
    expect(all.body).toEqual(this.model.map((row) => expect.objectContaining(row)))
    const some = await this.ask(`/posts?group=${group}&_sort=id&_order=desc&_limit=5`)
    const matching = this.model.filter((row) => row.group === group)
    expect(some.response.headers.get('x-total-count')).toBe(String(matching.length))
    const ids = (some.body as Post[]).map(({ id }) => id)
    expect(ids).toEqual(
      matching
        .map(({ id }) => id)
        .sort((a, b) => b - a)
        .slice(0, 5),
    )
  }
}

const step = fc.record({
  who: fc.integer({ min: 0, max: SESSIONS }),
  what: fc.constantFrom('add' as const, 'change' as const, 'remove' as const, 'check' as const),
  number: fc.nat({ max: 200 }),
})

describe('sixteen sessions and the base', () => {
  it('each answer like a plain list of their own, in any order of requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 120 }), async (steps) => {
        const { server, file } = await servePosts()
        const base = new Client(server.url, undefined, POSTS)
        const clients = new Map([[0, base]])
        for (const { who, what, number } of steps) {
          // Its copy is that of the moment of its first request.
          const client = clients.get(who) ?? new Client(server.url, `worker-${who}`, base.model)
          if (!clients.has(who)) await client.check(number)
          clients.set(who, client)
          if (what === 'add') await client.add(`by ${who}`)
          else if (what === 'change') await client.change(number, number % 7)
          else await client[what](number)
        }
        for (const client of clients.values()) await client.check(3)
        const kept = JSON.parse(await readFile(file, 'utf8')) as { posts: Post[] }
        expect(kept.posts).toEqual(base.model.map((row) => expect.objectContaining(row)))
        await server.close()
      }),
      { ...runs(1), endOnFailure: true },
    )
  })

  it('never see each other when they delete and count all rows in parallel', async () => {
    const posts = POSTS.slice(0, 15)
    const { server, file } = await servePosts(posts)
    const before = await readFile(file, 'utf8')
    const clients = Array.from({ length: SESSIONS }, (_, at) => new Client(server.url, `worker-${at}`, posts))
    await Promise.all(
      clients.map(async (client, number) => {
        while (client.model.length > 0) {
          // Each in an order of its own.
          await client.remove(number * 5)
          const { response } = await client.ask('/posts?_limit=1')
          expect(response.headers.get('x-total-count')).toBe(String(client.model.length))
        }
        await client.add('the first again')
        await client.check(3)
      }),
    )
    await new Client(server.url, undefined, posts).check(3)
    expect(await readFile(file, 'utf8')).toBe(before)
  })
})
