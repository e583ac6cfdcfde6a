import { once } from 'node:events'
import { get as getSecurely } from 'node:https'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { ListenError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { loadCertificate } from '../../../src/features/https/certificate.ts'
import { type ListeningServer, type ListenOptions, listen } from '../../../src/serve/server/listen.ts'
import { folderOf } from '../../support/folder.ts'
import { ask, hello } from '../../support/http/sockets.ts'

const cleanUps: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

describe('addresses', () => {
  it('answers on 127.0.0.1 and ::1 at the same free port when asked for localhost', async () => {
    const listener = await listenWith({ port: 0, host: 'localhost' })
    expect(listener.port).toBeGreaterThan(0)
    expect(listener.url).toBe(`http://localhost:${listener.port}`)
    expect(listener.addresses.map(({ address, port }) => [address, port])).toEqual([
      ['127.0.0.1', listener.port],
      ['::1', listener.port],
    ])
    expect(await ask({ host: '127.0.0.1', port: listener.port })).toBe('hello')
    expect(await ask({ host: '::1', port: listener.port })).toBe('hello')
  })

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:', ['127.0.0.1']],
    ['::1', 'http://[::1]:', ['::1']],
    ['0.0.0.0', 'http://localhost:', ['127.0.0.1']],
    ['::', 'http://localhost:', ['127.0.0.1', '::1']],
    ['LocalHost', 'http://LocalHost:', ['127.0.0.1', '::1']],
    ['', 'http://localhost:', ['127.0.0.1', '::1']],
  ])('host %j is shown as %s and answers on %j', async (host, url, reachable) => {
    const listener = await listenWith({ port: 0, host })
    expect(listener.url).toBe(`${url}${listener.port}`)
    for (const address of reachable) expect(await ask({ host: address, port: listener.port })).toBe('hello')
  })

  it('serves an app that is not Express', async () => {
    const listener = await listen((_req, res) => void res.end('plain'), { port: 0 })
    cleanUps.push(() => listener.close())
    expect(await ask({ port: listener.port })).toBe('plain')
  })
})

describe('what cannot be listened on', () => {
  it.each(['127.0.0.1', '::1'])(
    'reports a port that another program has on %s only, and lets go of it',
    async (host) => {
      const port = await occupy(host)
      await expect(listenWith({ port, host: 'localhost' })).rejects.toMatchObject({
        code: 'EADDRINUSE',
        port,
      })
      const other = host === '::1' ? '127.0.0.1' : '::1'
      await listenWith({ port, host: other })
    },
  )

  it('says in one line what to do about a port in use', async () => {
    const port = await occupy('127.0.0.1')
    const failure = await listenWith({ port, host: '127.0.0.1' }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ListenError)
    expect(String(failure)).toMatch(
      new RegExp(`^ListenError: Port ${port} is already in use: .*start:alt.*$`),
    )
  })

  it.each([
    ['no.such.host.invalid', /^ENOTFOUND|EAI_AGAIN$/],
    ['192.0.2.1', /^EADDRNOTAVAIL$/],
  ])('reports host %s', async (host, code) => {
    const failure = await listenWith({ port: 0, host }).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      code: expect.stringMatching(code),
      message: expect.stringContaining(host),
    })
  })
})

describe('https', () => {
  it('uses the certificate whose thumbprints it reported, on both addresses', async () => {
    const directory = folderOf()
    const { cert, key, thumbprints } = await loadCertificate(undefined, directory)
    const listener = await listenWith({ port: 0, tls: { cert, key } })
    expect(listener.url).toBe(`https://localhost:${listener.port}`)
    for (const host of ['localhost', '127.0.0.1', '::1']) {
      const [res] = await once(getSecurely({ host, port: listener.port, ca: cert, agent: false }), 'response')
      const peer = res.socket instanceof TLSSocket && res.socket.getPeerCertificate()
      expect(await text(res)).toBe('hello')
      expect(peer).toMatchObject({ fingerprint: thumbprints.sha1, fingerprint256: thumbprints.sha256 })
    }
  })
})

async function listenWith(options: ListenOptions): Promise<ListeningServer> {
  const listener = await listen(hello(), options)
  cleanUps.push(() => listener.close())
  return listener
}

/** Takes a free port on one address and keeps it until the test ends. */
async function occupy(host: string): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  cleanUps.push(() => new Promise((resolve) => server.close(resolve)))
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
