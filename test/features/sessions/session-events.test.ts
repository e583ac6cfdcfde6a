import { describe, expect, it, onTestFinished } from 'vitest'
import { serve } from '../../support/http/serve.ts'

/** The events of a stream as they come: those of a type. */
async function listen(url: string, init?: RequestInit) {
  const gone = new AbortController()
  onTestFinished(() => gone.abort())
  const response = await fetch(url, { ...init, signal: gone.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const until = async (type: string, about = ''): Promise<{ path?: string; resources?: unknown }> => {
    for (;;) {
      const [, data] = new RegExp(`event: ${type}\ndata: (.*${about}.*)\n\n`).exec(text) ?? []
      if (data !== undefined) return JSON.parse(data)
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) throw new Error(`The stream ended before ${type}`)
      text += value
    }
  }
  const ended = async () => {
    for (;;) if ((await reader?.read())?.done) return true
  }
  return { response, until, ended, heard: () => text, close: () => gone.abort() }
}

describe('the events of a session', () => {
  it.each<[string, (url: string) => [string, RequestInit?]]>([
    ['in the query, as EventSource needs it', (url) => [`${url}/__events?session=a`]],
    ['in the query of another spelling', (url) => [`${url}/__Events/?x=1&session=a`]],
    [
      'in the query, which beats the cookie',
      (url) => [`${url}/__events?session=a`, { headers: { cookie: 'mock_session=other' } }],
    ],
    [
      'in the header, which beats the query',
      (url) => [`${url}/__events?session=other`, { headers: { 'X-Mock-Session': 'a' } }],
    ],
    ['in the header', (url) => [`${url}/__events`, { headers: { 'X-Mock-Session': 'a' } }]],
  ])('are its own: named %s', async (_, ask) => {
    const server = await serve({ data: { posts: [] } })
    const own = await listen(...ask(server.url))
    const base = await listen(`${server.url}/__events`)
    expect(own.response.headers.get('x-mock-session')).toBe('a')
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    await fetch(`${server.url}/posts?from=base`, post)
    await server.session('a').fetch('/posts?from=a', post)
    await server.session('a').fetch('/posts?from=a', post)
    await server.session('b').fetch('/posts?from=other', post)
    expect((await own.until('request')).path).toBe('/posts?from=a')
    expect((await own.until('change')).resources).toEqual([{ name: 'posts', count: 1 }])
    expect((await base.until('request')).path).toBe('/posts?from=base')
    expect((await base.until('change')).resources).toEqual([{ name: 'posts', count: 1 }])
    await fetch(`${server.url}/posts?last=base`)
    await server.session('a').fetch('/posts?last=a')
    await Promise.all([own.until('request', 'last=a'), base.until('request', 'last=base')])
    for (const { heard } of [own, base]) expect(heard()).not.toContain('from=other')
    expect(own.heard()).not.toContain('from=base')
    expect(base.heard()).not.toContain('from=a')
  })

  it('keep it alive as long as somebody listens', async () => {
    const server = await serve({ data: { posts: [] }, sessions: { idleMs: 100, max: 2 } })
    const { until, close } = await listen(`${server.url}/__events?session=a`)
    const list = async () => (await fetch(`${server.url}/__sessions`)).json()
    await server.session('b').fetch('/posts')
    // Ends when it was idle for too long; the one that somebody listens to is older.
    await expect.poll(list).toMatchObject([{ name: 'a', idleMs: 0 }])
    await server.session('a').fetch('/posts', { method: 'POST' })
    expect((await until('change')).resources).toEqual([{ name: 'posts', count: 1 }])
    close()
    await expect.poll(list).toEqual([])
  })

  it('end with it', async () => {
    const server = await serve({ data: { posts: [] } })
    const { ended } = await listen(`${server.url}/__events?session=a`)
    await server.session('a').close()
    expect(await ended()).toBe(true)
  })
})
