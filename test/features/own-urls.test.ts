import { lookup } from 'node:dns/promises'
import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, type StartOptions, start } from '../../src/index.ts'
import { folderOf } from '../support/folder.ts'
import { asking } from '../support/http/asking.ts'
import { exchange } from '../support/http/exchange.ts'
import { serve } from '../support/http/serve.ts'

/** What the API says of itself. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** What stands for the parameters of a path. */
const NAMES: Readonly<Record<string, string>> = { id: '1', name: 'a', resource: 'posts' }

/** A name of this machine that a server can listen on; the empty string if it has none. */
const NAME = await lookup(hostname()).then(
  ({ address }) => (address.startsWith('127.') ? hostname() : ''),
  () => '',
)

let server: RunningServer
let ask: ReturnType<typeof asking>
/** Every request to the server itself, as its own description lists them, and the stream of events. */
let requests: readonly (readonly [string, string])[]

beforeAll(async () => {
  server = await start({
    data: { posts: [{ id: 1 }] },
    snapshots: folderOf(),
    routes: { '/public/*': '/$1' },
    trustedOrigins: ['https://app.example.com'],
  })
  ask = asking(server.url)
  const { paths } = (await ask('GET', '/__openapi')).body as Document
  const listed = Object.entries(paths)
    .filter(([path]) => path.startsWith('/__'))
    .flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => /^(?:get|post|put|patch|delete)$/.test(method))
        .map((method) => [method.toUpperCase(), path.replace(/\{(\w+)\}/g, (_, name) => NAMES[name] ?? '')]),
    )
  requests = [...listed.map(([method = '', path = '']) => [method, path] as const), ['GET', '/__events']]
})

afterAll(async () => {
  await server.close()
})

describe('the addresses of the server itself', () => {
  it('are all listed', () => {
    const paths = new Set(requests.map(([, path]) => path.split(/[/.]/)[1]))
    expect([...paths].toSorted()).toEqual(
      [
        'changes',
        'clock',
        'events',
        'faults',
        'grow',
        'history',
        'openapi',
        'redo',
        'requests',
        'reset',
        'resources',
        'rules',
        'schema',
      ]
        .concat(['service', 'sessions', 'snapshots__', 'undo'])
        .map((name) => `__${name}`),
    )
  })

  it('are not there through a rewrite rule', async () => {
    for (const [method, path] of requests) {
      const { status, body } = await ask(method, `/public${path}`, method === 'GET' ? undefined : {})
      expect([status, body], `${method} ${path}`).toEqual([404, {}])
    }
    expect((await ask('GET', '/public/posts')).body).toEqual([{ id: 1 }])
  })

  it.each<[string, StartOptions, boolean]>([
    // A page that DNS rebinding leads here has this server's origin, as far as the browser knows.
    ['evil.example', {}, false],
    ['127.0.0.1.evil.example', {}, false],
    ['localhost.evil.example', {}, false],
    ['evil.example.', {}, false],
    ['mock.test', {}, false],
    ['mock.test', { trustedOrigins: ['http://mock.test:*'] }, true],
    ['mock.test', { allowedHosts: ['mock.test'] }, true],
    ['a.mock.test', { allowedHosts: ['.mock.test'] }, true],
    ...(NAME ? [[NAME, { host: NAME }, true] satisfies [string, StartOptions, boolean]] : []),
    ['localhost', {}, true],
    ['shop.localhost', {}, true],
    ['LOCALHOST', {}, true],
    ['127.0.0.1', {}, true],
    ['192.168.1.20', {}, true],
    ['[::1]', {}, true],
    ['[fe80::1]', {}, true],
  ])(
    'are changed by a page that says it is the server’s own, at %s with %j: %s',
    async (host, options, isOwn) => {
      const other = await serve({
        data: { posts: [{ id: 1 }], users: [{ id: 1, email: 'ada@example.com', role: 'admin' }] },
        middlewares: ['accounts'],
        accounts: { persona: true },
        ...options,
      })
      const own = `${host}:${other.port}`
      const acting = { host: own, origin: `http://${own}`, 'x-mock-user': 'ada@example.com' }
      const inSession = { host: own, origin: `http://${own}`, 'x-mock-session': 'a' }
      for (const [method, path, headers] of [
        ['POST', '/__reset', inSession],
        ['DELETE', '/__clock', inSession],
        ['DELETE', '/__faults', inSession],
        ['POST', '/__reset', acting],
        ['DELETE', '/__clock', acting],
        ['GET', '/__history', acting],
        ['GET', '/posts', acting],
        ['GET', '/me', acting],
      ] as const) {
        const { status, body } = await exchange(other.port, { method, path, headers })
        const code = JSON.parse(body).code
        expect([status, code], `${method} ${path}`).toEqual(
          isOwn ? [200, undefined] : [403, 'FOREIGN_ORIGIN'],
        )
      }
    },
  )

  it('change nothing for a page of another site, and everything that they can for others', async () => {
    const changing = requests.filter(([method]) => method !== 'GET')
    expect(changing.length).toBeGreaterThan(10)
    for (const [method, path] of changing) {
      const codeFor = async (Origin: string) => (await ask(method, path, {}, { Origin })).body.code
      expect(await codeFor('https://evil.example'), `${method} ${path}`).toBe('FOREIGN_ORIGIN')
      for (const origin of [server.url, 'http://localhost:5173', 'https://app.example.com']) {
        expect(await codeFor(origin), `${method} ${path}`).not.toBe('FOREIGN_ORIGIN')
      }
    }
  })
})
