import { once } from 'node:events'
import { connect, createServer, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { open, type StartOptions } from '../../../src/index.ts'

/** A server of HTTP/2 with the API at `/api`, and a client of it. */
async function host(options: StartOptions = {}) {
  const api = await open({ data: { posts: [{ id: 1 }, { id: 2 }] }, live: false, ...options })
  const server = createServer((req, res) => {
    const { url } = req
    Object.assign(req, { originalUrl: url, url: url.replace('/api', '') })
    // As Vite passes them on.
    api.handler(req as never, res as never, () => res.end('the host'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect(`http://127.0.0.1:${port}`)
  onTestFinished(async () => {
    client.destroy()
    await once(server.close(), 'close')
    await api.close()
  })
  async function ask(path: string, sent: Readonly<Record<string, string>> = {}, body?: string) {
    const stream = client.request({ ':path': path, ...sent })
    stream.end(body)
    const [headers]: (IncomingHttpHeaders & IncomingHttpStatusHeader)[] = await once(stream, 'response')
    return { headers, text: (await stream.setEncoding('utf8').toArray()).join('') }
  }
  return { api, client, url: `http://127.0.0.1:${port}`, ask }
}

it('serves HTTP/2', async () => {
  const { ask, url } = await host()
  const post = { ':method': 'POST', 'content-type': 'application/json' }
  const created = await ask('/api/posts', post, '{"title":"three"}')
  expect([created.headers?.[':status'], created.headers?.location]).toEqual([201, `${url}/api/posts/3`])
  expect(JSON.parse(created.text)).toEqual({ title: 'three', id: 3 })
  const page = await ask('/api/posts?_page=1&_limit=1')
  expect(page.headers?.link).toContain(`<${url}/api/posts?_page=2&_limit=1>; rel="next"`)
  expect((await ask('/api/posts', { ':method': 'HEAD' })).headers?.['x-total-count']).toBe('3')
  expect((await ask('/api/pots')).text).toBe('the host')
})

it('streams to HTTP/2, until either side leaves', async () => {
  const { api, client, ask } = await host()
  const stream = client.request({ ':path': '/api/__events' })
  const events = stream.setEncoding('utf8')[Symbol.asyncIterator]()
  await events.next()
  await api.create('posts')
  expect((await events.next()).value).toContain('event: change')
  await events.return?.()
  await api.faults.add({ fault: 'reset' })
  const lost = client.request({ ':path': '/api/posts' })
  await once(lost, 'close')
  await api.faults.reset()
  expect((await ask('/api/posts/1')).headers?.[':status']).toBe(200)
})
