import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { StartOptions } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'
import { asking } from '../../support/http/asking.ts'
import { serve } from '../../support/http/serve.ts'

async function servePosts(options: StartOptions = {}) {
  const data = { posts: [{ id: 1 }], tasks: [{ id: 1, _status: 503 }] }
  const server = await serve({ ...(options.source === undefined && { data }), ...options })
  const send = asking(server.url)
  const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
    send(method, path, body, headers)
  return { server, ask }
}

describe('a request that asks to fail', () => {
  it.each([
    ['/posts', { Prefer: 'code=503' }, 503],
    ['/posts/1', { Prefer: 'code=404' }, 404],
    ['/posts', { Prefer: 'handling=lenient, CODE="429"' }, 429],
    ['/nowhere', { Prefer: 'code=400' }, 400],
    ['/posts?_status=503', {}, 503],
    ['/posts?a=1&_status=599&b=2', {}, 599],
    ['/posts?_status=418', { Prefer: 'return=minimal' }, 418],
    ['/posts?_status=418', { Prefer: 'delay=1' }, 418],
    ['/posts?_status=418', { Prefer: 'code=200' }, 418],
    ['/posts?_status=418', { Prefer: 'code=503' }, 503],
    ['/posts?_status=200&_status=503&_status=404', {}, 503],
  ])('%s with %j gets %d', async (path, headers, status) => {
    const { ask } = await servePosts()
    const answer = await ask('GET', path, headers)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({
      code: 'SIMULATED',
      message: expect.stringContaining('asked for this'),
    })
    expect(Object.keys(answer.body)).toEqual(['error', 'message', 'code'])
    expect(answer.headers.get('cache-control')).toBe('no-cache')
  })

  it.each([
    ['/posts', { Prefer: 'code=200' }],
    ['/posts', { Prefer: 'code=399' }],
    ['/posts', { Prefer: 'code=600' }],
    ['/posts', { Prefer: 'code=5o3' }],
    ['/posts', { Prefer: 'code' }],
    ['/posts', { Prefer: 'delay=-1' }],
    ['/posts', { Prefer: 'delay=1.5' }],
    ['/posts', { Prefer: 'when=after' }],
    ['/posts?_status=200', {}],
    ['/posts?_status=5030', {}],
    ['/posts?_status=', {}],
    ['/posts?x_status=503', {}],
    ['/posts?next=/posts?_status=503', {}],
    ['/__clock?_status=503', {}],
    ['/__clock', { Prefer: 'code=503' }],
    ['/?_status=503', { Prefer: 'code=503' }],
    ['/__page', { Prefer: 'code=503' }],
  ])('is not %s with %j: that means nothing', async (path, headers) => {
    const { server } = await servePosts()
    const response = await fetch(server.url + path, { headers: new Headers(headers) })
    expect(response.status).toBe(200)
    expect(response.headers.get('preference-applied')).toBeNull()
    await response.text()
  })

  it('is not a preflight', async () => {
    const { ask } = await servePosts()
    const headers = {
      Prefer: 'code=503',
      Origin: 'http://localhost:5173',
      'Access-Control-Request-Method': 'PUT',
    }
    expect((await ask('OPTIONS', '/posts/1?_status=503', headers)).status).toBe(204)
  })

  it('gives way to data: where rows have a field _status, it is a filter', async () => {
    const { ask } = await servePosts()
    expect((await ask('GET', '/tasks?_status=503')).body).toEqual([{ id: 1, _status: 503 }])
    expect((await ask('GET', '/tasks?_status=404')).body).toEqual([])
    expect((await ask('GET', '/tasks?_status=503', { Prefer: 'code=500' })).status).toBe(500)
    const delayed = await ask('GET', '/tasks?_status=503', { Prefer: 'delay=1, when=after' })
    expect(delayed).toMatchObject({ status: 200, body: [{ id: 1 }] })
    expect(delayed.headers.get('preference-applied')).toBe('delay=1, when=after')
    await ask('DELETE', '/tasks/1')
    expect((await ask('GET', '/tasks?_status=503')).status).toBe(503)
  })

  it('is told what was honored, and pages of other origins can read it', async () => {
    const { ask } = await servePosts()
    const headers = { Prefer: 'code=503, delay=1', Origin: 'http://localhost:5173' }
    const answer = await ask('GET', '/posts', headers)
    expect(answer.headers.get('preference-applied')).toBe('code=503, delay=1')
    expect(answer.headers.get('vary')).toContain('Prefer')
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
    expect(answer.headers.get('access-control-expose-headers')).toContain('Preference-Applied')
  })

  it('can ask for the status in the query, and for the rest in the header', async () => {
    const { ask } = await servePosts()
    const start = performance.now()
    const answer = await ask('POST', '/posts?_status=503', { Prefer: 'delay=100, when=after' }, {})
    expect(performance.now() - start).toBeGreaterThan(95)
    expect(answer.body.message).toBe(
      'The request asked for this failure with _status=503 and "Prefer: delay=100, when=after".',
    )
    expect(answer.headers.get('preference-applied')).toBe('delay=100, when=after')
    expect((await ask('GET', '/posts')).body).toHaveLength(2)
  })

  it('is not judged by rules as well', async () => {
    const { ask } = await servePosts({ faults: { rules: [{ status: 500 }] } })
    expect((await ask('GET', '/posts', { Prefer: 'code=503' })).status).toBe(503)
    expect((await ask('GET', '/posts', { Prefer: 'delay=1' })).status).toBe(200)
    expect((await ask('GET', '/__faults')).body.rules).toMatchObject([{ matched: 0 }])
  })

  it('keeps what other preferences say', async () => {
    const { ask } = await servePosts()
    const answer = await ask('POST', '/posts', { Prefer: 'delay=1, return=minimal' }, {})
    expect(answer.status).toBe(201)
    expect(answer.headers.get('preference-applied')).toBe('delay=1, return=minimal')
  })

  it('waits as long as it asks, and then runs', async () => {
    const { ask } = await servePosts()
    const start = performance.now()
    const answer = await ask('GET', '/posts', { Prefer: 'delay=150' })
    expect(performance.now() - start).toBeGreaterThan(140)
    expect(answer).toMatchObject({ status: 200, body: [{ id: 1 }] })
  })

  it.each(['600001', '9999999', '9'.repeat(400)])(
    'waits ten minutes at most, if it asks for %s ms',
    async (delay) => {
      const { ask } = await servePosts()
      const { setTimeout } = globalThis
      const timers = vi
        .spyOn(globalThis, 'setTimeout')
        .mockImplementation(((act: () => void, ms?: number) =>
          setTimeout(act, ms === 600_000 ? 0 : ms)) as typeof setTimeout)
      onTestFinished(() => timers.mockRestore())
      const answer = await ask('GET', '/posts', { Prefer: `delay=${delay}` })
      expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, 'delay=600000'])
    },
  )

  it('is not answered from the cache, nor does its failure get there', async () => {
    const source = join(folderOf({ 'db.json': { posts: [{ id: 1 }] } }), 'db.json')
    const { ask } = await servePosts({ source })
    for (let count = 0; count < 4; count++) expect((await ask('GET', '/posts')).status).toBe(200)
    expect((await ask('GET', '/posts', { Prefer: 'code=503' })).status).toBe(503)
    expect((await ask('GET', '/posts')).status).toBe(200)
  })

  it('fails before guards, and nothing behind runs', async () => {
    const { ask } = await servePosts({ middlewares: ['api-key'] })
    expect((await ask('POST', '/posts', { Prefer: 'code=503' }, {})).status).toBe(503)
    const key = { 'X-API-KEY': 'web-client-key-001' }
    expect((await ask('GET', '/posts', key)).body).toHaveLength(1)
  })

  it.each(['public', 'private'] as const)('fails in the hosted variant (%s), too', async (variant) => {
    const { ask } = await servePosts({ hosted: { variant } })
    expect((await ask('GET', '/products', { Prefer: 'code=503' })).status).toBe(503)
    expect((await ask('GET', '/products?_status=503')).status).toBe(503)
  })

  it('does not fail with --no-faults', async () => {
    const { ask } = await servePosts({ noFaults: true })
    expect((await ask('GET', '/posts', { Prefer: 'code=503' })).status).toBe(200)
    expect((await ask('GET', '/posts?_status=503')).status).toBe(200)
    expect((await ask('GET', '/__faults')).status).toBe(404)
  })
})

describe('when=after', () => {
  async function serveFile() {
    const file = join(folderOf({ 'db.json': { posts: [] } }), 'db.json')
    const served = await servePosts({ source: file })
    return { ...served, saved: async () => JSON.parse(await readFile(file, 'utf8')) }
  }

  it('saves what the request writes, and then fails: a retry with the same id gets 409', async () => {
    const { ask, saved } = await serveFile()
    const post = { id: 'order-1', title: 'once' }
    const failed = await ask('POST', '/posts', { Prefer: 'code=503, When="After"' }, post)
    expect(failed).toMatchObject({ status: 503, body: { code: 'SIMULATED' } })
    expect(await saved()).toEqual({ posts: [post] })
    expect(failed.headers.get('location')).toBeNull()
    expect(failed.headers.get('etag')).not.toBeNull()
    expect(failed.headers.get('preference-applied')).toBe('code=503, when=after')
    expect((await ask('POST', '/posts', {}, post)).status).toBe(409)
  })

  it.each([
    ['a large compressed list', '/posts', { 'Accept-Encoding': 'gzip' }],
    ['a large list', '/posts', { 'Accept-Encoding': 'identity' }],
    ['a missing item', '/posts/404', {}],
    ['an item', '/posts/1', {}],
  ])('replaces the answer to %s', async (_, path, headers) => {
    const posts = Array.from({ length: 20_000 }, (_, id) => ({ id, title: `Post ${id}` }))
    const { ask } = await servePosts({ data: { posts } })
    const answer = await ask('GET', path, { Prefer: 'code=500, when=after', ...headers })
    expect(answer).toMatchObject({ status: 500, body: { code: 'SIMULATED' } })
    expect(answer.headers.get('x-total-count')).toBeNull()
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect((await ask('GET', path, headers)).status).not.toBe(500)
  })

  it('replaces what a handler of the user sends in its own way, and tells it that this was taken', async () => {
    const done: string[] = []
    const { ask } = await servePosts({
      middlewares: [
        (_req, res) => {
          res.writeHead(202, 'Taken', { 'X-Own': 'yes' })
          res.write('a', () => {
            done.push('write')
            res.end('b', () => done.push('end'))
          })
        },
      ],
    })
    const answer = await ask('GET', '/posts', { Prefer: 'code=503, when=after' })
    expect(answer).toMatchObject({ status: 503, body: { code: 'SIMULATED' } })
    expect(answer.headers.get('x-own')).toBeNull()
    await expect.poll(() => done).toEqual(['write', 'end'])
  })

  it('with a delay alone holds the answer back', async () => {
    const posts = Array.from({ length: 20_000 }, (_, id) => ({ id, title: `Post ${id}` }))
    const { ask } = await servePosts({ data: { posts } })
    const start = performance.now()
    const answer = await ask('GET', '/posts', { Prefer: 'delay=150, when=after' })
    expect(performance.now() - start).toBeGreaterThan(140)
    expect(answer.body).toHaveLength(20_000)
  })

  it.each([
    ['writeHead', "res.writeHead(200, { 'Content-Type': 'text/event-stream' })"],
    ['flushHeaders', "res.type('text/event-stream'); res.flushHeaders()"],
    ['nothing', "res.type('text/event-stream')"],
  ])('holds back what comes in pieces, begun with %s, and the rest follows', async (_, begin) => {
    // As a file, so that it is behind compression.
    const home = folderOf({
      'stream.cjs': `module.exports = (req, res) => {
        ${begin}
        res.write('one ')
        setTimeout(() => { res.write('two '); setTimeout(() => res.end('three'), 80) }, 20)
      }`,
    })
    const { ask } = await servePosts({ middlewares: [join(home, 'stream.cjs')] })
    for (const prefer of ['delay=60, when=after', 'delay=1, when=after', 'delay=1']) {
      const answer = await ask('GET', '/posts', { Prefer: prefer })
      expect(answer).toMatchObject({ status: 200, body: 'one two three' })
    }
  })

  it('does not replace a write that failed by itself', async () => {
    const folder = folderOf()
    const { ask } = await servePosts({ source: join(folder, 'db.json') })
    await rm(folder, { recursive: true })
    const failed = await ask('POST', '/posts', { Prefer: 'code=502, when=after' }, {})
    expect(failed).toMatchObject({ status: 503, body: { code: 'WRITE_FAILED' } })
    expect(failed.headers.get('preference-applied')).toBeNull()
  })
})
