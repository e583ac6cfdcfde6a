import http from 'node:http'
import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { handlers } from '../../src/doors/msw.ts'
import { open, type StartOptions } from '../../src/index.ts'
import { readEvents } from '../../src/page/client/event-stream.ts'
import { json } from '../support/http/serving.ts'

async function mocked(base?: string, options: StartOptions = {}) {
  const api = await open({ data: { posts: [{ id: 1 }, { id: 2 }] }, live: false, ...options })
  const network = setupServer(...handlers(api, base))
  network.listen({ onUnhandledRequest: 'error' })
  onTestFinished(async () => {
    network.close()
    await api.close()
  })
  return api
}

describe('restable/msw', () => {
  it.each([
    ['*/api', 'https://shop.example/api'],
    ['https://shop.example/api/v1/', 'https://shop.example/api/v1'],
    ['https://shop.example', 'https://shop.example'],
    [undefined, 'http://localhost:4000'],
  ])('responds to %s as the API would at %s', async (base, url) => {
    const api = await mocked(base)
    const created = await fetch(`${url}/posts`, json('POST', { title: 'three' }))
    expect([created.status, created.headers.get('location')]).toEqual([201, `${url}/posts/3`])
    expect(await created.json()).toEqual({ id: 3, title: 'three' })
    const { headers } = await fetch(`${url}/posts?_page=1&_limit=2`)
    expect(headers.get('link')).toContain(`<${url}/posts?_page=2&_limit=2>; rel="next"`)
    expect(api.count('posts')).toBe(3)
  })

  it('responds to node:http, too', async () => {
    await mocked('*/api')
    const text = await new Promise<string>((resolve, reject) => {
      const sent = http.request('http://shop.example/api/posts/1', { headers: { 'accept-encoding': 'gzip' } })
      sent.on('response', async (response) => resolve((await response.toArray()).join('')))
      sent.on('error', reject).end()
    })
    expect(JSON.parse(text)).toEqual({ id: 1 })
  })

  it('streams, and fails as a network does', async () => {
    const api = await mocked('*/api')
    const stop = new AbortController()
    const { body } = await fetch('http://shop.example/api/__events', { signal: stop.signal })
    if (!body) throw new Error('There is no stream.')
    const events = readEvents(body)
    await api.create('posts')
    expect(await events.next()).toMatchObject({ done: false })
    stop.abort()
    await expect(events.next()).rejects.toThrow()
    await api.faults.add({ fault: 'reset' })
    await expect(fetch('http://shop.example/api/posts')).rejects.toThrow()
  })

  it('has sessions', async () => {
    const api = await open({ data: { posts: [{ id: 1 }] }, live: false })
    const network = setupServer(...handlers(api.session('a'), '*/api'))
    network.listen({ onUnhandledRequest: 'error' })
    onTestFinished(async () => {
      network.close()
      await api.close()
    })
    await fetch('http://shop.example/api/posts/1', { method: 'DELETE' })
    expect(await (await fetch('http://shop.example/api/posts')).json()).toEqual([])
    expect(api.count('posts')).toBe(1)
  })
})
