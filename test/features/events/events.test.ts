import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Feed } from '../../../src/core/kernel/util/feed.ts'
import { EVENT_ENDPOINTS, type EventsOptions, events } from '../../../src/features/events/events.ts'
import { serveEndpoints } from '../../../src/features/serve-endpoints.ts'
import { type StartOptions, start } from '../../../src/index.ts'
import { readEvents, type StreamEvent } from '../../../src/page/client/event-stream.ts'
import { echo } from '../../support/http/echo.ts'
import { serve } from '../../support/http/serve.ts'

function servePosts(options: StartOptions = {}) {
  return serve({ data: { posts: [{ id: 1 }], profile: { a: 1 } }, ...options })
}

const stream = (feed: Feed, options?: EventsOptions) => serveEndpoints(EVENT_ENDPOINTS, events(feed, options))

async function listen(url: string, headers: Record<string, string> = {}, query = '') {
  const response = await fetch(`${url}/__events${query}`, { headers })
  if (!response.body) throw new Error('There is no stream.')
  const events = readEvents(response.body)
  onTestFinished(async () => void (await events.return(undefined)))
  return {
    response,
    async next(type: string): Promise<Record<string, unknown>> {
      for (;;) {
        const { value, done }: IteratorResult<StreamEvent> = await events.next()
        if (done) throw new Error('The stream ended.')
        if (value.type === type) return JSON.parse(value.data)
      }
    },
    /** The next event of any kind, with its id. */
    any: async () => (await events.next()).value,
    ended: async () => (await events.next()).done,
  }
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

it('HEAD /__events gets the headers of GET, and ends', async () => {
  const { url } = await servePosts()
  const answer = await fetch(`${url}/__events`, { method: 'HEAD' })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(await answer.text()).toBe('')
})

describe('GET /__events', () => {
  it('is a stream of server-sent events that nothing along the way may buffer or cache', async () => {
    const { url } = await servePosts()
    const { response } = await listen(url)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(response.headers.get('content-encoding')).toBeNull()
  })

  it.each<[string, unknown]>([
    ['/posts?idd=1', [{ name: 'idd', reason: 'unknown field', suggestion: 'id' }]],
    ['/posts?idd=1&_strict=true', [{ name: 'idd', reason: 'unknown field', suggestion: 'id' }]],
    ['/posts/1?token%3Dhunter2', [{ name: 'token=***', reason: 'unknown field' }]],
    ['/post', [{ name: '/post', reason: 'unknown resource', suggestion: '/posts' }]],
    ['/posts?id=1', undefined],
  ])('reports what of %s had no effect, each time', async (path, ignored) => {
    const { url } = await servePosts()
    const stream = await listen(url)
    for (const _ of ['found', 'cached']) {
      const told = stream.next('request')
      await (await fetch(url + path)).text()
      expect((await told).ignored).toEqual(ignored)
    }
  })

  it('reports a request as soon as it is answered', async () => {
    const { url } = await servePosts()
    const { next } = await listen(url)
    await fetch(`${url}/posts/1`)
    expect(await next('request')).toMatchObject({ method: 'GET', path: '/posts/1', status: 200 })
  })

  it.each([
    ['POST', '/posts', '{"title":"x"}', [{ name: 'posts', count: 2 }]],
    ['PATCH', '/posts/1', '{"title":"x"}', [{ name: 'posts', count: 1 }]],
    ['DELETE', '/posts/1', undefined, [{ name: 'posts', count: 0 }]],
    ['PUT', '/profile', '{"a":2}', [{ name: 'profile' }]],
  ])('reports that %s %s changed the data', async (method, path, body, resources) => {
    const { url } = await servePosts()
    const { next } = await listen(url)
    await fetch(url + path, { method, headers: JSON_TYPE, ...(body !== undefined && { body }) })
    expect((await next('change')).resources).toEqual(resources)
  })

  it('reports changes that did not come over HTTP', async () => {
    const server = await servePosts()
    const { next } = await listen(server.url)
    await server.db.get('posts').push({ id: 2 }).write()
    expect((await next('change')).resources).toContainEqual({ name: 'posts', count: 2 })
  })

  it('does not report requests that changed nothing', async () => {
    const { url } = await servePosts()
    const { next } = await listen(url)
    await fetch(`${url}/posts/404`, { method: 'DELETE' })
    await fetch(`${url}/posts`, { method: 'POST', headers: JSON_TYPE, body: '{"id":1}' })
    await fetch(`${url}/posts`, { method: 'POST', headers: JSON_TYPE, body: '{"id":5}' })
    expect((await next('change')).resources).toEqual([{ name: 'posts', count: 2 }])
  })

  it('is behind the guards', async () => {
    const { url } = await servePosts({ middlewares: ['api-key'] })
    expect((await fetch(`${url}/__events`)).status).toBe(401)
    const { response } = await listen(url, { 'X-API-KEY': 'web-client-key-001' })
    expect(response.status).toBe(200)
  })

  it('drops a reader that does not read', async () => {
    const feed = new Feed()
    const { port } = await echo([stream(feed)])
    const idle = connect(port, '127.0.0.1')
    onTestFinished(() => void idle.destroy())
    idle.write('GET /__events HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await new Promise((resolve) => idle.once('readable', resolve))
    expect(feed.wantsRequests).toBe(true)
    // More than the buffers of the system and our patience hold together.
    for (let sent = 0; sent < 5000 && feed.wantsRequests; sent += 1) {
      feed.emit({ type: 'change', data: { time: 'x'.repeat(20_000), resources: [] } })
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(feed.wantsRequests).toBe(false)
  })

  it('sends a heartbeat while nothing happens', async () => {
    const { port } = await echo([stream(new Feed(), { heartbeat: 5 })])
    const response = await fetch(`http://127.0.0.1:${port}/__events`)
    let text = ''
    for await (const piece of response.body ?? []) {
      text += new TextDecoder().decode(piece)
      if (text.includes(': alive\n\n')) break
    }
    expect(text).toContain(': alive\n\n')
  })

  describe('tells changes by their versions', () => {
    const write = (url: string, path: string, body: unknown, method = 'POST') =>
      fetch(url + path, { method, headers: JSON_TYPE, body: JSON.stringify(body) })
    const versionOf = async (url: string): Promise<number> =>
      ((await (await fetch(`${url}/__changes`)).json()) as { version: number }).version

    /** The next change, `gone` or end of the stream, as it was sent. */
    async function changes(url: string, headers: Record<string, string> = {}, query = '') {
      const response = await fetch(`${url}/__events${query}`, { headers })
      const pieces = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      onTestFinished(async () => void (await pieces?.cancel()))
      let text = ''
      return async (): Promise<Record<string, unknown>> => {
        for (;;) {
          const [, id = '', type = '', data = ''] =
            /id: (\d+)\nevent: (change|gone)\ndata: (.*)\n\n/.exec(text) ?? []
          if (type !== '') {
            text = text.slice(text.indexOf(`id: ${id}\n`) + data.length)
            return { type, id: Number(id), ...JSON.parse(data) }
          }
          const { value, done } = (await pieces?.read()) ?? { done: true }
          if (done) throw new Error('The stream ended.')
          text += value
        }
      }
    }

    it('with one event for each commit', async () => {
      const { url } = await servePosts()
      const start = await versionOf(url)
      const next = await changes(url)
      await write(url, '/posts', [{ title: 'a' }, { title: 'b' }])
      await Promise.all(['c', 'd', 'e'].map((title) => write(url, '/posts', { title })))
      await fetch(`${url}/__undo`, { method: 'POST' })
      for (let count = 1; count <= 5; count += 1) {
        const time = expect.stringMatching(/^\d{4}-.*Z$/)
        const resources = [{ name: 'posts', count: expect.any(Number) }]
        expect(await next()).toEqual({ type: 'change', id: start + count, time, resources })
      }
      expect(await versionOf(url)).toBe(start + 5)
    })

    it('from its start on: a client that heard of none yet resumes there', async () => {
      const { url } = await servePosts()
      const response = await fetch(`${url}/__events?resource=posts`)
      const pieces = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      const { value = '' } = (await pieces?.read()) ?? {}
      await pieces?.cancel()
      const [, id = ''] = /^id: (\d+)$/m.exec(value) ?? []
      await write(url, '/posts', { title: 'missed' })
      const next = await changes(url, { 'Last-Event-ID': id })
      expect(await next()).toMatchObject({ id: Number(id) + 1, resources: [{ name: 'posts', count: 2 }] })
    })

    it('and from the one that a client heard last, each once, with the counts of then', async () => {
      const { url } = await servePosts()
      const start = await versionOf(url)
      await write(url, '/posts', {})
      await write(url, '/posts', [{}, {}])
      await write(url, '/profile', { a: 2 }, 'PUT')
      await fetch(`${url}/posts/1`, { method: 'DELETE' })
      const next = await changes(url, { 'Last-Event-ID': String(start + 1) })
      await write(url, '/posts', {})
      expect(await next()).toMatchObject({ id: start + 2, resources: [{ name: 'posts', count: 4 }] })
      expect(await next()).toMatchObject({ id: start + 3, resources: [{ name: 'profile' }] })
      expect(await next()).toMatchObject({ id: start + 4, resources: [{ name: 'posts', count: 3 }] })
      expect(await next()).toMatchObject({ id: start + 5, resources: [{ name: 'posts', count: 4 }] })
    })

    it('and not again one that a client knows, where this server hears of it later', async () => {
      const feed = new Feed()
      const tell = (version: number) =>
        feed.emit({ type: 'change', version, data: { time: 'now', resources: [] } })
      const missed = async (version: number) => {
        await new Promise(setImmediate)
        tell(version)
        // The counts of it are still being read.
        setTimeout(() => [version, version + 1].forEach(tell))
        return { events: [], version }
      }
      const { port } = await echo([stream(feed, { missed })])
      const next = await changes(`http://127.0.0.1:${port}`, { 'Last-Event-ID': '41' })
      expect(await next()).toMatchObject({ type: 'change', id: 42 })
    })

    it('or ends if they cannot be read now, so that the client asks again', async () => {
      const missed = () => Promise.reject(new Error('The database cannot be reached.'))
      const { port } = await echo([stream(new Feed(), { missed })])
      const headers = { 'Last-Event-ID': '41' }
      expect(await (await fetch(`http://127.0.0.1:${port}/__events`, { headers })).text()).toBe(
        'retry: 2000\n\n',
      )
    })

    it.each(['41', '99999999999999', 'abc'])('or says that those after %s are gone', async (id) => {
      const { url } = await servePosts()
      const start = await versionOf(url)
      const next = await changes(url, { 'Last-Event-ID': id })
      expect(await next()).toEqual({ type: 'gone', id: start, version: start })
      await write(url, '/posts', {})
      expect(await next()).toMatchObject({ type: 'change', id: start + 1 })
    })

    it('of the resources that a client asks for only, and no requests then', async () => {
      const { url } = await servePosts()
      const start = await versionOf(url)
      const recorded = await listen(url)
      await fetch(`${url}/posts`)
      await recorded.next('request')
      const stream = await listen(url, {}, '?resource=profile&resource=news')
      await write(url, '/posts', {})
      await write(url, '/profile', { a: 2 }, 'PUT')
      expect(await stream.any()).toMatchObject({ type: 'change', data: expect.stringContaining('"profile"') })
      const missed = await changes(url, { 'Last-Event-ID': String(start) }, '?resource=profile')
      expect(await missed()).toMatchObject({ id: start + 2, resources: [{ name: 'profile' }] })
    })

    it('to a client that hears of changes only, nothing has to be recorded for', () => {
      const feed = new Feed()
      const leave = feed.listen({ onEvent() {}, end() {}, wantsRequests: false })
      expect([feed.wantsRequests, feed.hasListeners]).toEqual([false, true])
      const leaveToo = feed.listen({ onEvent() {}, end() {} })
      expect(feed.wantsRequests).toBe(true)
      leaveToo()
      leaveToo()
      expect([feed.wantsRequests, feed.hasListeners]).toEqual([false, true])
      leave()
      expect(feed.hasListeners).toBe(false)
    })
  })

  it('ends when the server closes, and does not keep it from closing', async () => {
    const server = await start({ data: { posts: [] } })
    const { ended } = await listen(server.url)
    await server.close()
    expect(await ended()).toBe(true)
  })
})
