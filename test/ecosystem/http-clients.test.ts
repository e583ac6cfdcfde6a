import { request } from 'node:http'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RunningServer, start } from '../../src/index.ts'
import { exchange } from '../support/http/exchange.ts'
import { json } from '../support/http/serving.ts'
import { type Installed, installClients } from '../support/package/install.ts'

interface AxiosAnswer {
  readonly status: number
  readonly data: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** What of axios is used here. */
interface Axios {
  request(config: object): Promise<AxiosAnswer>
}

let client: Installed
let server: RunningServer

beforeAll(async () => {
  client = await installClients('axios')
}, 180_000)

beforeEach(async () => {
  server = await start({
    data: {
      posts: [
        { id: 1, title: 'a' },
        { id: 2, title: 'b' },
      ],
    },
  })
})
afterEach(() => server.close())

describe('axios', () => {
  const axios = (config: object): Promise<AxiosAnswer> => {
    const made: Axios = client.require('axios').create({ baseURL: server.url, validateStatus: () => true })
    return made.request(config)
  }

  it.each<[string, object, number, unknown]>([
    [
      'lists',
      { url: '/posts' },
      200,
      [
        { id: 1, title: 'a' },
        { id: 2, title: 'b' },
      ],
    ],
    [
      'lists in its own way of writing lists',
      { url: '/posts', params: { id: [2, 1], _sort: 'id', _order: 'desc' } },
      200,
      [
        { id: 2, title: 'b' },
        { id: 1, title: 'a' },
      ],
    ],
    ['finds nothing', { url: '/posts/9' }, 404, {}],
    ['makes', { url: '/posts', method: 'POST', data: { title: 'c' } }, 201, { title: 'c', id: 3 }],
    [
      'makes from a form',
      { url: '/posts', method: 'POST', data: new URLSearchParams({ title: 'c' }) },
      201,
      { title: 'c', id: 3 },
    ],
    ['replaces', { url: '/posts/1', method: 'PUT', data: { title: 'z' } }, 200, { title: 'z', id: 1 }],
    ['changes', { url: '/posts/1', method: 'PATCH', data: { title: 'z' } }, 200, { id: 1, title: 'z' }],
    ['deletes', { url: '/posts/1', method: 'DELETE' }, 200, {}],
    ['deletes with a body', { url: '/posts/1', method: 'DELETE', data: { why: 'so' } }, 200, {}],
  ])('%s', async (_, config, status, data) => {
    expect(await axios(config)).toMatchObject({ status, data })
  })

  it('reads headers by any case', async () => {
    const { headers } = await axios({ url: '/posts', params: { _page: 1, _limit: 1 } })
    expect(headers['x-total-count']).toBe('2')
    expect(headers.link).toContain('rel="next"')
  })
})

describe('fetch', () => {
  it.each<[string, string, RequestInit, number, unknown]>([
    [
      'lists',
      '/posts?_sort=id&_order=desc',
      {},
      200,
      [
        { id: 2, title: 'b' },
        { id: 1, title: 'a' },
      ],
    ],
    ['makes', '/posts', json('POST', { title: 'c' }), 201, { title: 'c', id: 3 }],
    [
      'makes though it names no type',
      '/posts',
      { method: 'POST', body: '{"title":"c"}' },
      201,
      { title: 'c', id: 3 },
    ],
    [
      'makes from a form',
      '/posts',
      { method: 'POST', body: new URLSearchParams({ title: 'c' }) },
      201,
      { title: 'c', id: 3 },
    ],
    [
      'hears of a fault',
      '/posts',
      json('POST', 'text'),
      400,
      { error: 'Invalid body', message: expect.any(String), code: 'INVALID_BODY' },
    ],
  ])('%s', async (_, url, init, status, body) => {
    const response = await fetch(server.url + url, init)
    expect([response.status, await response.json()]).toEqual([status, body])
  })

  it('can be answered from its own cache', async () => {
    const first = await fetch(`${server.url}/posts`)
    await first.text()
    const etag = String(first.headers.get('etag'))
    const { port } = server
    const again = await exchange(port, { method: 'GET', path: '/posts', headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
  })
})

describe('a browser on another origin', () => {
  const origin = 'http://app.example'

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('may send a %s with headers of its own', async (method) => {
    const { status, headers } = await preflight(method, 'content-type,authorization,range')
    expect(status).toBe(204)
    expect(headers['access-control-allow-origin']).toBe(origin)
    expect(headers['access-control-allow-credentials']).toBe('true')
    expect(String(headers['access-control-allow-methods']).split(',')).toContain(method)
    expect(headers['access-control-allow-headers']).toBe('content-type,authorization,range')
    expect(headers.vary).toContain('Origin')
  })

  it('may read what lists and new rows tell in headers, errors included', async () => {
    const exposed = 'X-Total-Count, Link, Location, Content-Range, ETag'
    for (const [path, init] of [
      ['/posts', {}],
      ['/posts/1', {}],
      ['/posts', json('POST', {})],
      ['/posts/1', json('PATCH', {})],
    ] as const) {
      const { headers } = await fetch(server.url + path, {
        ...init,
        headers: { ...Object(init.headers), origin },
      })
      expect(headers.get('access-control-expose-headers')).toBe(exposed)
      expect(headers.get('access-control-allow-origin')).toBe(origin)
    }
    const refused = await fetch(`${server.url}/posts`, { method: 'POST', body: '{', headers: { origin } })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([400, origin])
  })

  function preflight(
    method: string,
    headers: string,
  ): Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]> }> {
    return new Promise((resolve, reject) => {
      const sent = {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': headers,
      }
      request(`${server.url}/posts`, { method: 'OPTIONS', headers: sent })
        .on('response', (res) => resolve({ status: res.resume().statusCode, headers: res.headers }))
        .on('error', reject)
        .end()
    })
  }
})
