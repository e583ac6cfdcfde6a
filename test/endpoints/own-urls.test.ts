import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, start } from '../../src/index.ts'
import { endRealServers, makeHome } from '../support/child/real-server.ts'
import { asking } from '../support/http/asking.ts'

/** What the API says of itself. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** What stands for the parameters of a path. */
const NAMES: Readonly<Record<string, string>> = { id: '1', name: 'a', resource: 'posts' }

let server: RunningServer
let ask: ReturnType<typeof asking>
/** Every request to the server itself, as its own description lists them, and the stream of events. */
let requests: readonly (readonly [string, string])[]

beforeAll(async () => {
  server = await start({
    data: { posts: [{ id: 1 }] },
    snapshots: await makeHome(),
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
  await endRealServers()
})

describe('the addresses of the server itself', () => {
  it('are all listed', () => {
    const paths = new Set(requests.map(([, path]) => path.split(/[/.]/)[1]))
    expect([...paths].toSorted()).toEqual(
      ['changes', 'clock', 'events', 'faults', 'history', 'openapi', 'redo', 'reset', 'rules', 'schema']
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
