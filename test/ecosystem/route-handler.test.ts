import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { expect, it } from 'vitest'
import { openApi } from '../support/http/serve.ts'
import { json, serving } from '../support/http/serving.ts'

/** A server that does with a route handler what Next does. */
async function next(handler: (request: Request) => Promise<Response>): Promise<string> {
  const url = await serving(
    createServer(async (req, res) => {
      const stop = new AbortController()
      res.once('close', () => stop.abort())
      const { method = 'GET' } = req
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const init = { method, headers: Object.entries(req.headers) as [string, string][], signal: stop.signal }
      const body = hasBody ? { body: Readable.toWeb(req), duplex: 'half' } : {}
      const response = await handler(new Request(`${url}${req.url}`, { ...init, ...body } as object))
      res.writeHead(response.status, [...response.headers].flat())
      if (response.body)
        await pipeline(Readable.fromWeb(response.body as ReadableStream), res).catch(() => {})
      else res.end()
    }).listen(0, '127.0.0.1'),
  )
  return url
}

it('serves the API as a route handler of Next', async () => {
  const api = await openApi({ data: { posts: [{ id: 1 }, { id: 2 }] }, live: false, base: '/api' })
  // What `app/api/[...path]/route.js` exports, for each method.
  const { fetch: GET } = api
  const url = await next(GET)
  const created = await fetch(`${url}/api/posts`, json('POST', { title: 'x'.repeat(100_000) }))
  expect([created.status, created.headers.get('location')]).toEqual([201, `${url}/api/posts/3`])
  const read = await fetch(`${url}/api/posts?_page=1&_limit=1`)
  expect(read.headers.get('link')).toContain(`<${url}/api/posts?_page=2&_limit=1>; rel="next"`)
  const all = await fetch(`${url}/api/posts`)
  expect([all.headers.get('content-encoding'), await all.json()]).toMatchObject(['gzip', { length: 3 }])
  expect((await fetch(`${url}/api/posts`, { method: 'HEAD' })).headers.get('x-total-count')).toBe('3')
  expect(
    (await fetch(`${url}/api/posts/1`, { method: 'DELETE', headers: { prefer: 'return=minimal' } })).status,
  ).toBe(204)
  expect((await fetch(`${url}/api/`)).headers.get('content-type')).toContain('html')
})
