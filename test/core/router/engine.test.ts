import { describe, expect, it, vi } from 'vitest'
import { type ForeignCommits, MemoryStore } from '../../../src/core/engine/data/store.ts'
import { Engine } from '../../../src/core/engine/engine.ts'
import { StorageError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { resolveConfig } from '../../../src/features/settings.ts'
import { create, router } from '../../../src/index.ts'
import { openData } from '../../../src/source/open-data.ts'
import { json, serving } from '../../support/http/serving.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }
const data = () => ({
  posts: [
    { id: 1, title: 'a' },
    { id: 2, title: 'b' },
  ],
  comments: [{ id: 1, postId: 1 }],
  profile: { name: 'me' },
})

async function serveEngine(engine: Engine) {
  const routed = router(engine)
  const base = await serving(create().use(routed))
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(base + path, init)
    return [response.status, await response.json()]
  }
  return { routed, ask }
}

/** A store that others write to: only it can tell whether they did. */
class SharedStore extends MemoryStore {
  #written: ForeignCommits | undefined

  write(data: Extract<ForeignCommits, { kind: 'content' }>['data']): void {
    this.#written = { kind: 'content', data }
  }

  async hasNews(): Promise<boolean> {
    await new Promise(setImmediate)
    return this.#written !== undefined
  }

  override async news(): Promise<ForeignCommits | undefined> {
    const news = this.#written
    this.#written = undefined
    return news
  }
}

describe('a router over an engine', () => {
  it('reads and writes through it', async () => {
    const { ask } = await serveEngine(new Engine(data(), { ...naming, store: new SharedStore() }))
    expect(await ask('/posts/1?_embed=comments')).toEqual([
      200,
      { id: 1, title: 'a', comments: [{ id: 1, postId: 1 }] },
    ])
    expect(await ask('/posts?title=b')).toEqual([200, [{ id: 2, title: 'b' }]])
    expect(await ask('/posts/1/comments')).toEqual([200, [{ id: 1, postId: 1 }]])
    expect(await ask('/posts', json('POST', { title: 'c' }))).toEqual([201, { title: 'c', id: 3 }])
    expect(await ask('/posts/3', json('PATCH', { title: 'd' }))).toEqual([200, { title: 'd', id: 3 }])
    expect(await ask('/posts/3', json('PUT', {}))).toEqual([200, { id: 3 }])
    expect(await ask('/posts/1?_dependent=comments', { method: 'DELETE' })).toEqual([200, {}])
    expect(await ask('/posts/1')).toEqual([404, {}])
    expect(await ask('/profile', json('PATCH', { age: 1 }))).toEqual([200, { name: 'me', age: 1 }])
    expect(await ask('/db')).toEqual([
      200,
      { posts: [{ id: 2, title: 'b' }, { id: 3 }], comments: [], profile: { name: 'me', age: 1 } },
    ])
  })

  it('asks it for each read whether a cached response is current, where others write too', async () => {
    const store = new SharedStore()
    const engine = new Engine(data(), { ...naming, store })
    const { ask } = await serveEngine(engine)
    const read = vi.spyOn(engine, 'read')
    for (let turn = 0; turn < 3; turn++) expect(await ask('/posts/1')).toEqual([200, { id: 1, title: 'a' }])
    expect(read).toHaveBeenCalledTimes(1)
    store.write({ posts: [{ id: 1, title: 'theirs' }] })
    expect(await ask('/posts/1')).toEqual([200, { id: 1, title: 'theirs' }])
    // A resource that is new, too.
    store.write({ theirs: [{ id: 1 }] })
    expect(await ask('/theirs')).toEqual([200, [{ id: 1 }]])
  })

  it('tells a client that its change was not stored, and shows what there was', async () => {
    const store = new SharedStore()
    const { ask } = await serveEngine(new Engine(data(), { ...naming, store }))
    const commit = store.commit.bind(store)
    store.commit = () => Promise.reject(new StorageError('WRITE_FAILED', 'The disk is full.'))
    expect((await ask('/posts', json('POST', { title: 'c' })))[0]).toBe(503)
    expect(await ask('/posts')).toEqual([200, data().posts])
    store.commit = commit
    expect((await ask('/posts', json('POST', { title: 'c' })))[0]).toBe(201)
  })
})

describe('what was read', () => {
  it('is current as long as nobody changes it, though somebody has router.db', async () => {
    const engine = new Engine(data(), naming)
    const reading = await engine.read({ kind: 'item', collection: 'posts', id: '1' })
    router(engine).db.getState()
    expect(reading.isCurrent()).toBe(true)
    await engine.write({ kind: 'merge', collection: 'posts', id: '1', fields: { title: 'c' } })
    expect(reading.isCurrent()).toBe(false)
    expect(reading.found).toEqual({ id: 1, title: 'a' })
  })

  it('can be kept where the data was fetched over HTTP, since nobody else has it', async () => {
    const source = await serving((_req, res) => res.end(JSON.stringify(data())))
    const { engine } = await openData(resolveConfig({ source: `${source}/db.json` }), { log: () => {} })
    const reading = await engine.read({ kind: 'item', collection: 'posts', id: '1' })
    expect(reading.isCurrent()).toBe(true)
  })

  it('is what it was where the data was handed in, and its owner changes it in place', async () => {
    const own = data()
    const { engine } = await openData(resolveConfig({}), { data: own, log: () => {} })
    const reading = await engine.read({ kind: 'item', collection: 'posts', id: '1' })
    Object.assign(own.posts[0] ?? {}, { title: 'theirs' })
    await engine.catchUp()
    expect(reading.isCurrent()).toBe(false)
    expect(reading.found).toEqual({ id: 1, title: 'a' })
    const { found } = await engine.read({ kind: 'item', collection: 'posts', id: '1' })
    expect(found).toEqual({ id: 1, title: 'theirs' })
  })
})
