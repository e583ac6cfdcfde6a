import { describe, expect, it } from 'vitest'
import { create, defaults, router, type StartOptions } from '../../../src/index.ts'
import { type Ask, exchange } from '../../support/http/exchange.ts'
import { serve } from '../../support/http/serve.ts'
import { serving } from '../../support/http/serving.ts'

const DATA = { posts: [{ id: 1 }], users: [{ id: 1, email: 'ada@example.com', role: 'admin' }] }

/** A request for a path, and how the same is asked for in absolute form (RFC 9112, 3.2.2). */
async function both(port: number, ask: Partial<Ask> & { readonly path: string }) {
  const send = async (path: string) => {
    const { status, headers, body } = await exchange(port, { method: 'GET', ...ask, path })
    const timeless = body.replace(/"(?:timestamp|idleMs|createdAt)": .*/g, '')
    return { status, link: headers.link, session: headers['x-mock-session'], body: timeless }
  }
  const plain = await send(ask.path || '/')
  return [
    plain,
    await send(`http://127.0.0.1:${port}${ask.path}`),
    await send(`HTTP://x.test${ask.path}`),
  ] as const
}

const FAILING = { rules: [{ match: { path: '/posts' }, status: 503, body: 'no' }] }
const ALL_FAIL = { rules: [{ status: 503, body: 'no' }] }
const SESSION = { 'X-Mock-Session': 'a' }

describe('a request in absolute form is judged by its path', () => {
  it.each<[string, StartOptions, Partial<Ask> & { readonly path: string }, number]>([
    ['by fault rules', { faults: FAILING }, { path: '/posts?a=1' }, 503],
    ['by those that match nothing of it', { faults: FAILING }, { path: '/users' }, 200],
    ['by none for /__faults', { faults: ALL_FAIL }, { path: '/__faults' }, 200],
    ['by _status', {}, { path: '/posts?_status=418' }, 418],
    [
      'by _status where it is a field',
      { data: { posts: [{ _status: '418' }] } },
      { path: '/posts?_status=418' },
      200,
    ],
    ['for the server itself', {}, { path: '/__rules' }, 200],
    ['for the list of sessions', {}, { path: '/__sessions', headers: SESSION }, 200],
    ['for a session', {}, { path: '/posts', headers: SESSION }, 200],
    ['for what is beside the data', {}, { path: '/stats' }, 200],
    ['for a list', {}, { path: '/posts?_page=1&_limit=1' }, 200],
    ['by a guard', { middlewares: ['api-key'] }, { path: '/posts' }, 401],
    [
      'by what a guard lets pass',
      { middlewares: ['api-key'], apiKey: { publicRoutes: ['/posts'] } },
      { path: '/posts' },
      200,
    ],
    ['by rewrite rules', { routes: { '/api/*': '/$1' } }, { path: '/api/posts/1' }, 200],
    [
      'by the roles of users',
      { middlewares: ['accounts'], resources: { posts: { access: { read: 'nobody' } } } },
      { method: 'POST', path: '/__reset' },
      401,
    ],
    ['without a path', {}, { path: '' }, 200],
  ])('%s', async (_, options, ask, status) => {
    const server = await serve({ data: structuredClone(DATA), ...options })
    const [plain, ...whole] = await both(server.port, ask)
    expect(plain.status).toBe(status)
    for (const answer of whole) expect({ ...answer, link: 0 }).toEqual({ ...plain, link: 0 })
  })

  it('and limits of requests still let one turn the clock', async () => {
    const server = await serve({ data: {}, middlewares: ['rate-limit'], rateLimit: { limit: 1 } })
    for (let turn = 0; turn < 2; turn += 1) {
      const path = 'http://127.0.0.1/__clock'
      expect((await exchange(server.port, { method: 'GET', path })).status).toBe(200)
    }
  })

  it('by the module, too', async () => {
    const app = create()
    app.use(defaults({ logger: false, readOnly: true }), router(structuredClone(DATA)))
    const port = Number(new URL(await serving(app.listen(0))).port)
    const [plain, ...whole] = await both(port, { path: '/__schema/posts' })
    expect(plain.status).toBe(200)
    for (const answer of whole) expect(answer).toEqual(plain)
  })
})
