import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/app/config/config.ts'
import { openData } from '../../src/app/source/open-data.ts'
import { create, type Engine, router } from '../../src/index.ts'
import { liveDataOf } from '../../src/storage/local/live-data.ts'
import { LocalEngine } from '../../src/storage/local/local-engine.ts'
import { RemoteEngine } from '../support/engine/remote-engine.ts'
import { json, serving } from '../support/http/serving.ts'

const naming = { id: 'id', foreignKeySuffix: 'Id' }
const data = () => ({
  posts: [
    { id: 1, title: 'a' },
    { id: 2, title: 'b' },
  ],
  comments: [{ id: 1, postId: 1 }],
  profile: { name: 'me' },
})

async function serve(engine: Engine) {
  const routed = router(engine)
  const base = await serving(create().use(routed))
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(base + path, init)
    return [response.status, await response.json()]
  }
  return { routed, ask }
}

describe('a router over an engine of your own', () => {
  it('reads and writes through it', async () => {
    const { ask } = await serve(new RemoteEngine(new LocalEngine(data(), naming)))
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

  it('asks it each time, where it cannot tell whether an answer is current', async () => {
    const engine = new RemoteEngine(new LocalEngine(data(), naming))
    const { ask } = await serve(engine)
    for (const path of ['/posts', '/posts/1', '/profile', '/db']) {
      const before = engine.reads
      for (let turn = 0; turn < 3; turn++) await ask(path)
      expect(engine.reads - before).toBe(3)
    }
  })

  it('says why it has no router.db', async () => {
    const { routed } = await serve(new RemoteEngine(new LocalEngine(data(), naming)))
    expect(() => routed.db).toThrow('which this engine does not have in this process')
  })
})

describe('what was read', () => {
  it('is neither current nor stable any more once somebody asks for router.db', async () => {
    const engine = new LocalEngine(data(), { ...naming, isOwned: true })
    const readings = await Promise.all([
      engine.read({ kind: 'item', collection: 'posts', id: '1' }),
      engine.read({ kind: 'object', name: 'profile' }),
      engine.read({ kind: 'database' }),
    ])
    const all = () => readings.flatMap(({ isCurrent, isStable }) => [isCurrent?.(), isStable()])
    expect(new Set(all())).toEqual(new Set([true]))
    expect(engine.isStable()).toBe(true)
    router(engine).db.getState()
    expect(new Set(all())).toEqual(new Set([false]))
    expect(engine.isStable()).toBe(false)
    expect((await engine.read({ kind: 'database' })).isCurrent).toBeUndefined()
  })

  it('can be kept where the data was fetched over HTTP, since nobody else has it', async () => {
    const source = await serving((_req, res) => res.end(JSON.stringify(data())))
    const engine = await openData(resolveConfig({ source: `${source}/db.json` }), undefined, () => {})
    const reading = await engine.read({ kind: 'item', collection: 'posts', id: '1' })
    expect([reading.isCurrent?.(), reading.isStable()]).toEqual([true, true])
    expect(liveDataOf(engine)?.data).toEqual(data())
  })

  it('cannot be kept where the data was handed in', async () => {
    const engine = await openData(resolveConfig({}), data(), () => {})
    const reading = await engine.read({ kind: 'item', collection: 'posts', id: '1' })
    expect([reading.isCurrent, reading.isStable()]).toEqual([undefined, false])
  })
})
