import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { isProxy, trustProxies } from '../../src/core/layers/parts/trusted-proxies.ts'
import { type RunningServer, start } from '../../src/serve/start.ts'

describe('an entry of trustedProxies', () => {
  it.each([
    ['127.0.0.1', true],
    ['10.0.0.0/8', true],
    ['::1', true],
    ['fd00::/8', true],
    ['10.0.0.0/33', false],
    ['fd00::/129', false],
    ['10.0.0', false],
    [':::', false],
    ['/8', false],
    ['', false],
    ['localhost', false],
  ])('%j is an address or a subnet: %s', (entry, isOne) => {
    expect(isProxy(entry)).toBe(isOne)
  })

  it.each([
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '127.0.0.2', false],
    ['127.0.0.0/8', '127.9.9.9', true],
    ['127.0.0.1', '::ffff:127.0.0.1', true],
    ['10.0.0.0/8', '::ffff:11.0.0.1', false],
    ['fd00::/8', 'fd12::1', true],
    ['fd00::/8', 'fe80::1', false],
    ['10.0.0.0/8', 'unknown', false],
  ])('%s covers %s: %s', (entry, address, isCovered) => {
    const list = [entry]
    expect(trustProxies(() => list)(address)).toBe(isCovered)
  })

  it('may change while the server runs', () => {
    let list: readonly string[] | undefined
    const isTrusted = trustProxies(() => list)
    expect(isTrusted('127.0.0.1')).toBe(false)
    list = ['127.0.0.1']
    expect(isTrusted('127.0.0.1')).toBe(true)
    list = ['10.0.0.0/8']
    expect(isTrusted('127.0.0.1')).toBe(false)
  })
})

describe('a server behind a proxy', () => {
  let server: RunningServer | undefined
  afterEach(() => server?.close())
  async function serve(trustedProxies?: string[], middlewares = ['rate-limit']): Promise<RunningServer> {
    server = await start({
      data: { posts: [{ id: 1 }, { id: 2 }] },
      middlewares,
      rateLimit: { limit: 2 },
      host: '127.0.0.1',
      allowedHosts: ['mock.test'],
      ...(trustedProxies && { trustedProxies }),
    })
    return server
  }
  /** As the proxy would ask that a client reached as https://mock.test. */
  const ask = (
    { port }: RunningServer,
    { method = 'GET', path = '/posts?_page=1&_limit=1', client = '192.0.2.1', headers = {} } = {},
  ): Promise<{ status: number | undefined; link: string }> =>
    new Promise((resolve, reject) => {
      const sent = {
        host: 'mock.test',
        'x-forwarded-for': client,
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'elsewhere.test',
        ...headers,
      }
      request({ host: '127.0.0.1', port, method, path, headers: sent }, (res) => {
        res.resume()
        res.once('end', () => resolve({ status: res.statusCode, link: String(res.headers.link) }))
      })
        .on('error', reject)
        .end()
    })

  it('believes one that it trusts: links, origins and clients are those of the client', async () => {
    const trusting = await serve(['127.0.0.1'])
    expect((await ask(trusting)).link).toContain('<https://mock.test/posts?_page=2&_limit=1>; rel="next"')
    const undo = (origin: string, client: string) =>
      ask(trusting, { method: 'POST', path: '/__undo', client, headers: { origin } })
    expect((await undo('https://mock.test', '192.0.2.2')).status).toBe(409)
    expect((await undo('http://mock.test', '192.0.2.2')).status).toBe(403)
    // Nobody passes for a page of the server by naming another host.
    expect((await undo('https://elsewhere.test', '192.0.2.3')).status).toBe(403)
    const statuses = async (client: string) => {
      const answers = [
        await ask(trusting, { client }),
        await ask(trusting, { client }),
        await ask(trusting, { client }),
      ]
      return answers.map(({ status }) => status)
    }
    expect(await statuses('192.0.2.4')).toEqual([200, 200, 429])
    expect(await statuses('192.0.2.5')).toEqual([200, 200, 429])
  })

  it.each([
    ['no other', ['10.0.0.0/8']],
    ['none by default', undefined],
  ])('believes %s', async (_, list) => {
    const wary = await serve(list)
    expect((await ask(wary)).link).toContain('<http://mock.test/posts?_page=2')
    const origin = 'https://mock.test'
    expect((await ask(wary, { method: 'POST', path: '/__undo', headers: { origin } })).status).toBe(403)
    expect((await ask(wary, { client: '192.0.2.9' })).status).toBe(429)
  })

  it('links by the scheme of each client, also in a response that is sent again', async () => {
    const trusting = await serve(['127.0.0.1'], [])
    for (const scheme of ['https', 'https', 'https', 'http', 'http', 'http', 'https']) {
      const { link } = await ask(trusting, { headers: { 'x-forwarded-proto': scheme } })
      expect(link).toContain(`<${scheme}://mock.test/posts?_page=2`)
    }
  })

  it('makes no links of what is not a scheme', async () => {
    const trusting = await serve(['127.0.0.1'])
    const headers = { 'x-forwarded-proto': 'javascript' }
    expect((await ask(trusting, { headers })).link).toContain('<http://mock.test/posts')
  })

  it.each([['localhost'], ['10.0.0.0/64'], [7]])('refuses %j as a proxy, in one line', async (entry) => {
    const options = { data: {}, trustedProxies: [entry] as string[] }
    await expect(start(options)).rejects.toThrow(
      /^[^\n]*"trustedProxies[^\n]* must be an IP address, or a subnet[^\n]*$/,
    )
  })
})
