import { describe, expect, it } from 'vitest'
import { serve } from '../../support/http/serve.ts'
import { json } from '../../support/http/serving.ts'

interface Entry {
  readonly version: number
  readonly session: string | null
  readonly undone?: boolean
}

async function serveWorker() {
  const server = await serve({ data: { posts: [{ id: 1 }, { id: 2 }] }, live: false })
  const worker = server.session('worker-1')
  const history = async (session?: string) =>
    (await (session ? server.session(session).fetch('/__history') : fetch(`${server.url}/__history`))).json()
  const count = async (session?: string) => {
    const headers = session ? { 'X-Mock-Session': session } : {}
    return Number((await fetch(`${server.url}/posts`, { headers })).headers.get('X-Total-Count'))
  }
  return { server, worker, history, count }
}

describe('a session', () => {
  it('has a history of its own, and its undo, redo and reset touch nobody else', async () => {
    const { server, worker, history, count } = await serveWorker()
    await fetch(`${server.url}/posts/2`, { method: 'DELETE' })
    await worker.fetch('/posts/1', { method: 'DELETE' })
    await worker.fetch('/posts', json('POST', [{}, {}]))
    expect(await history('worker-1')).toMatchObject([{ session: 'worker-1' }, { session: 'worker-1' }])
    expect(await history()).toMatchObject([{ session: null, method: 'DELETE', url: '/posts/2' }])
    expect(await count('worker-1')).toBe(2)

    expect((await worker.fetch('/__undo', { method: 'POST' })).status).toBe(200)
    expect([await count('worker-1'), await count()]).toEqual([0, 1])
    expect((await worker.fetch('/__redo', { method: 'POST' })).status).toBe(200)
    expect([await count('worker-1'), await count()]).toEqual([2, 1])
    expect((await worker.fetch('/__reset', { method: 'POST' })).status).toBe(200)
    // To its copy, which was taken after the other deletion.
    expect([await count('worker-1'), await count()]).toEqual([1, 1])
    expect(await history('worker-1')).toEqual([])
    expect((await worker.fetch('/__undo', { method: 'POST' })).status).toBe(409)
    await server.undo()
    expect([await count('worker-1'), await count()]).toEqual([1, 2])
    expect((await history()) as readonly Entry[]).toMatchObject([{}, { undone: true }])
  })

  it('tells its changes since a version', async () => {
    const { server, worker } = await serveWorker()
    const changes = async (since = '') =>
      (await (await worker.fetch(`/__changes${since}`)).json()) as { version: number; changes: object[] }
    const { version } = await changes()
    await fetch(`${server.url}/posts/2`, { method: 'DELETE' })
    await worker.fetch('/posts/1', { method: 'DELETE' })
    expect((await changes(`?since=${version}`)).changes).toEqual([
      { version: version + 1, resource: 'posts', id: 1, op: 'delete' },
    ])
  })

  it('undoes what it did before its data was handed out', async () => {
    const { worker, count } = await serveWorker()
    await worker.fetch('/posts/1', json('PATCH', { title: 'b' }))
    expect(worker.db.get('posts').find({ id: 1 }).value()).toEqual({ id: 1, title: 'b' })
    expect((await worker.fetch('/__undo', { method: 'POST' })).status).toBe(200)
    expect(worker.db.get('posts').find({ id: 1 }).value()).toEqual({ id: 1 })
    await worker.fetch('/posts/2', json('PATCH', { title: 'c' }))
    worker.db.get('posts').find({ id: 2 }).assign({ title: 'mine' }).value()
    expect((await worker.fetch('/__undo', { method: 'POST' })).status).toBe(409)
    expect(await count('worker-1')).toBe(2)
  })
})

it('tells when changes were made by the clock of the server, or of the session', async () => {
  const { server, worker, history } = await serveWorker()
  server.clock.set({ now: '2030-01-01T00:00:00Z', frozen: true })
  await fetch(`${server.url}/posts/2`, { method: 'DELETE' })
  expect(await history()).toMatchObject([{ at: '2030-01-01T00:00:00.000Z' }])
  await worker.fetch('/posts/1', { method: 'DELETE' })
  await worker.fetch('/__clock', json('PUT', { now: '2031-01-01T00:00:00Z', frozen: true }))
  await worker.fetch('/posts', json('POST', {}))
  expect(await history('worker-1')).toMatchObject([{ at: '2031-01-01T00:00:00.000Z' }, {}])
})
