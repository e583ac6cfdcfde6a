import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FaultRule } from '../../../src/core/kernel/catalogue/faults-info.ts'
import { FaultRules } from '../../../src/features/faults/fault-rules.ts'
import { type StartOptions, start } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'
import { asking } from '../../support/http/asking.ts'
import { serve } from '../../support/http/serve.ts'

type FaultSettings = NonNullable<StartOptions['faults']>

async function serveFaults(options: StartOptions = {}) {
  const data = { posts: [{ id: 1 }], users: [] }
  const server = await serve({ ...(options.source === undefined && { data }), ...options })
  const ask = asking(server.url)
  const statuses = async (count: number, method = 'GET', path = '/posts') => {
    const found: number[] = []
    for (let turn = 0; turn < count; turn++) found.push((await ask(method, path)).status)
    return found
  }
  return { server, ask, statuses }
}

describe('a rule', () => {
  it.each<[string, FaultRule, [string, string], boolean]>([
    ['without a match, every request', {}, ['GET', '/posts'], true],
    ['a path', { match: { path: '/posts' } }, ['GET', '/posts'], true],
    ['a path with its query', { match: { path: '/posts' } }, ['GET', '/posts?_page=1'], true],
    ['below a path', { match: { path: '/posts/*' } }, ['GET', '/posts/1'], true],
    ['a path with more slashes', { match: { path: '/posts/1' } }, ['GET', '//posts//1?a=//'], true],
    ['not beside it', { match: { path: '/posts/*' } }, ['GET', '/users/1'], false],
    ['a parameter of the path', { match: { path: '/:name/1' } }, ['GET', '/posts/1'], true],
    ['a parameter of the query', { match: { path: '/posts?q=:q' } }, ['GET', '/posts?a=1&q=x'], true],
    ['not without it', { match: { path: '/posts?q=:q' } }, ['GET', '/posts?a=1'], false],
    ['a method', { match: { method: 'post' } }, ['POST', '/posts'], true],
    ['not another', { match: { method: 'POST' } }, ['GET', '/posts'], false],
    ['one of some methods', { match: { method: ['PUT', 'PATCH'] } }, ['PATCH', '/posts/1'], true],
    ['not when it is off', { on: false }, ['GET', '/posts'], false],
  ])('matches %s', (_, rule, [method, url], isMatch) => {
    const rules = new FaultRules({ rules: [{ status: 503, ...rule }] })
    expect(rules.decide(method, url, '')?.status).toBe(isMatch ? 503 : undefined)
    expect(rules.info.decisions).toHaveLength(isMatch ? 1 : 0)
  })

  it('lets some pass first, applies to so many, and then to none', async () => {
    const { statuses, ask } = await serveFaults({ faults: { rules: [{ skip: 1, times: 2, status: 503 }] } })
    expect(await statuses(5)).toEqual([200, 503, 503, 200, 200])
    const { body } = await ask('GET', '/__faults')
    expect(body.rules).toMatchObject([{ id: 1, on: true, matched: 5, hits: 2 }])
    expect(body.decisions.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'skipped',
      '503',
      '503',
      'spent',
      'spent',
    ])
  })

  it('answers with its status, headers and body', async () => {
    const { ask } = await serveFaults({
      faults: {
        rules: [
          {
            match: { path: '/posts' },
            status: 503,
            headers: { 'Retry-After': '1' },
            body: { error: 'busy' },
          },
          { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' },
        ],
      },
    })
    const busy = await ask('GET', '/posts', undefined, { Origin: 'http://localhost:5173' })
    expect(busy).toMatchObject({ status: 503, body: { error: 'busy' } })
    expect(busy.headers.get('retry-after')).toBe('1')
    expect(busy.headers.get('access-control-expose-headers')).toContain('Retry-After')
    const html = await ask('GET', '/users')
    expect(html).toMatchObject({ status: 502, body: '<h1>Bad gateway</h1>' })
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  it.each([
    [null, 'null', 'application/json; charset=utf-8'],
    [0, '0', 'application/json; charset=utf-8'],
    ['', '', 'text/plain; charset=utf-8'],
  ])('can answer with %j', async (body, text, type) => {
    const { server } = await serveFaults({ faults: { rules: [{ status: 503, body }] } })
    const answer = await fetch(`${server.url}/posts`)
    expect(await answer.text()).toBe(text)
    expect(answer.headers.get('content-type')).toBe(type)
  })

  it('says by default that the failure is simulated, and which rule it was', async () => {
    const { ask } = await serveFaults({ faults: { rules: [{ status: 503 }] } })
    expect((await ask('GET', '/posts')).body).toEqual({
      error: 'Service Unavailable',
      message: 'Fault rule 1 made this request fail; GET /__faults shows it.',
      code: 'SIMULATED',
    })
  })

  it('with a delay alone makes the request wait, and run', async () => {
    const { ask } = await serveFaults({ faults: { rules: [{ delay: [100, 120] }] } })
    const start = performance.now()
    expect((await ask('GET', '/posts')).status).toBe(200)
    expect(performance.now() - start).toBeGreaterThan(95)
  })

  it('draws delays from all of its range', () => {
    const rules = new FaultRules({ seed: 1, rules: [{ delay: [3, 5], rate: 0.5 }] })
    for (let count = 0; count < 200; count++) rules.decide('GET', '/', '')
    const delays = new Set(rules.info.decisions.flatMap(({ delay }) => delay ?? []))
    expect([...delays].sort()).toEqual([3, 4, 5])
  })

  it('applies at about its rate', () => {
    const rules = new FaultRules({ seed: 'any', rules: [{ rate: 0.2, status: 500 }] })
    for (let count = 0; count < 10_000; count++) rules.decide('GET', '/', '')
    expect(Math.abs((rules.info.rules[0]?.hits ?? 0) - 2000)).toBeLessThan(150)
  })

  it('is tried in order: the first that matches and applies decides, and each draws for itself', async () => {
    const rules: FaultSettings['rules'] = [
      { times: 1, status: 500 },
      { match: { path: '/posts' }, status: 501 },
      { status: 502 },
    ]
    const { statuses } = await serveFaults({ faults: { rules } })
    expect(await statuses(3)).toEqual([500, 501, 501])
    expect(await statuses(1, 'GET', '/users')).toEqual([502])
  })

  it('is judged on the URL the client sent, before rewrite rules', async () => {
    const routes = join(folderOf({ 'routes.json': { '/api/*': '/$1' } }), 'routes.json')
    const { ask } = await serveFaults({
      routes,
      faults: { rules: [{ match: { path: '/api/*' }, status: 503 }] },
    })
    expect((await ask('GET', '/api/posts')).status).toBe(503)
    expect((await ask('GET', '/posts')).status).toBe(200)
  })

  it.each([
    ['GET', '/__faults'],
    ['GET', '/__clock'],
    ['GET', '/__service'],
    ['GET', '/'],
    ['GET', '/__page'],
    ['OPTIONS', '/posts'],
  ])('never touches %s %s', async (method, path) => {
    const { ask } = await serveFaults({ faults: { rules: [{ status: 503 }] } })
    expect((await ask(method, path)).status).toBeLessThan(300)
  })

  it.each([
    [['cors', 'delay', 'logger', 'api-key'], '*', true],
    [['cors', 'rate-limit'], '*', false],
    [['api-key', 'cors'], null, false],
  ])('stands behind CORS and the log and before guards: %j', async (middlewares, origin, isDelayed) => {
    const lines: string[] = []
    const { ask } = await serveFaults({
      middlewares,
      delay: { min: 0, max: 0 },
      print: (line) => lines.push(line),
      faults: { rules: [{ status: 503 }] },
    })
    const answer = await ask('GET', '/posts', undefined, { Origin: 'http://localhost:5173' })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.has('x-simulated-delay')).toBe(isDelayed)
    expect(answer.headers.has('x-ratelimit-limit')).toBe(false)
    if (middlewares.includes('logger')) await expect.poll(() => lines.join('\n')).toContain('GET /posts 503')
  })

  it('keeps the cache from answering, also if it comes while the server runs', async () => {
    // Of a file: live data is not cached.
    const source = join(folderOf({ 'db.json': { posts: [{ id: 1 }] } }), 'db.json')
    const { ask, statuses } = await serveFaults({ source })
    expect(await statuses(4)).toEqual([200, 200, 200, 200])
    await ask('PUT', '/__faults', { rules: [{ times: 1, status: 503 }] })
    expect(await statuses(2)).toEqual([503, 200])
  })

  it('does nothing with noFaults', async () => {
    const { statuses } = await serveFaults({ noFaults: true, faults: { rules: [{ status: 503 }] } })
    expect(await statuses(1)).toEqual([200])
  })
})

describe('a seed', () => {
  const settings = (seed: string | number): FaultSettings => ({
    seed,
    rules: [
      { match: { method: 'POST', path: '/posts' }, rate: 0.2, delay: [0, 3], status: 503 },
      { match: { path: '/posts/*' }, rate: 0.5, status: 500 },
      { match: { method: 'GET' }, rate: 0.1, skip: 5, times: 50, status: 429 },
    ],
  })

  async function tape(seed: string | number) {
    const { ask, server } = await serveFaults({ faults: settings(seed), data: { posts: [{ id: 1 }] } })
    server.clock.set({ now: '2027-01-01T00:00:00Z', frozen: true })
    const statuses: number[] = []
    for (let count = 0; count < 300; count++) {
      const [method, path] =
        [
          ['GET', '/posts?_limit=1'],
          ['POST', '/posts'],
          ['GET', '/posts/1'],
        ][count % 3] ?? []
      statuses.push((await ask(method ?? '', path ?? '', method === 'POST' ? {} : undefined)).status)
    }
    return { statuses, faults: (await ask('GET', '/__faults')).body }
  }

  it('gives two runs of 300 requests the same tape', async () => {
    const [one, other] = [await tape('monday'), await tape('monday')]
    expect(one.statuses).toEqual(other.statuses)
    expect(one.faults).toEqual(other.faults)
    expect(one.faults.decisions).toHaveLength(200)
    expect(new Set(one.statuses)).toEqual(new Set([200, 201, 429, 500, 503]))
  })

  const decided = (seed: string | number | undefined) => {
    const rules = new FaultRules({ ...settings(seed ?? 0), seed })
    for (let count = 0; count < 100; count++) rules.decide('POST', '/posts', '')
    return { draws: rules.info.decisions.map(({ draw }) => draw), seed: rules.info.seed }
  }

  it('differs from another seed, even a similar one', () => {
    expect(decided(1).draws).not.toEqual(decided(2).draws)
    expect(decided('a').draws).not.toEqual(decided('b').draws)
  })

  it('is random unless given, and shown, so that a run can be repeated', () => {
    const first = decided(undefined)
    expect(decided(undefined).draws).not.toEqual(first.draws)
    expect(decided(first.seed).draws).toEqual(first.draws)
  })

  it('gives each rule numbers of its own: requests that match another rule do not change them', () => {
    const rules = new FaultRules(settings(1))
    for (let count = 0; count < 100; count++) {
      rules.decide('POST', '/posts', '')
      rules.decide('GET', '/posts/1', '')
    }
    const own = rules.info.decisions.filter(({ rule }) => rule === 1).map(({ draw }) => draw)
    expect(own.length).toBeGreaterThan(10)
    expect(decided(1).draws.slice(-own.length)).toEqual(own)
  })
})

describe('rules', () => {
  const both = (isOn: boolean) => {
    const rules = new FaultRules({
      seed: 1,
      rules: [
        { on: isOn, rate: 0.5, status: 500 },
        { rate: 0.5, skip: 2, times: 3, status: 503 },
      ],
    })
    for (let count = 0; count < 50; count++) rules.decide('GET', '/posts', '')
    const { decisions } = rules.info
    return { rules, second: decisions.filter(({ rule }) => rule === 2) }
  }

  it('all draw once for a request that they match, so one does not change the luck of another', () => {
    const [first, alone] = [both(true), both(false)]
    expect(first.second.map(({ draw }) => draw)).toEqual(alone.second.map(({ draw }) => draw))
    expect(first.rules.info.rules).toMatchObject([{ matched: 50 }, { matched: 50, hits: 3 }])
    expect(first.second.map(({ outcome }) => outcome)).toContain('preempted')
    expect(alone.second.map(({ outcome }) => outcome)).not.toContain('preempted')
  })

  it('apply one at a time: one that another came before has not applied', () => {
    const { rules, second } = both(true)
    const fired = new Map(
      rules.info.decisions.filter(({ rule, fired }) => rule === 1 && fired).map((it) => [it.number, it]),
    )
    for (const { number, outcome, fired: isHit } of second) {
      if (outcome === 'preempted') expect([isHit, fired.has(number - 1)]).toEqual([false, true])
    }
  })

  it('are a hundred at most, in the config and added', async () => {
    const rules = Array.from({ length: 100 }, () => ({ match: { path: '/nowhere' }, status: 503 }))
    const { ask } = await serveFaults({ faults: { rules } })
    const wrong: object = { data: {}, faults: { rules: [...rules, { status: 503 }] } }
    await expect(start(wrong)).rejects.toThrow('"faults.rules" must be a list of at most 100 rules')
    const refused = await ask('POST', '/__faults', { status: 503 })
    expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_BODY' } })
    expect(refused.body.message).toBe('There are 100 rules. Remove one first: DELETE /__faults/<id>')
    await ask('DELETE', '/__faults/7')
    expect((await ask('POST', '/__faults', { status: 503 })).status).toBe(201)
  })
})

describe('/__faults', () => {
  const CONFIG: FaultSettings = { seed: 7, rules: [{ match: { path: '/posts' }, status: 503 }] }

  it('replaces the rules, and goes back to those of the config', async () => {
    const { ask, statuses } = await serveFaults({ faults: CONFIG })
    const put = await ask('PUT', '/__faults', { seed: 8, rules: [{ status: 404, times: 1 }] })
    expect(put).toMatchObject({ status: 200, body: { seed: 8, isConfig: false, decisions: [] } })
    expect(await statuses(2)).toEqual([404, 200])
    const again = await ask('PUT', '/__faults', { seed: 8, rules: [{ status: 404, times: 1 }] })
    expect(again.body.rules).toMatchObject([{ matched: 0, hits: 0 }])
    expect(await statuses(2)).toEqual([404, 200])
    const back = await ask('DELETE', '/__faults')
    expect(back.body).toMatchObject({ seed: 7, isConfig: true, rules: [{ status: 503, hits: 0 }] })
    expect(await statuses(1)).toEqual([503])
    await ask('PUT', '/__faults', {})
    expect(await statuses(1)).toEqual([200])
  })

  it('adds a rule in front, turns one off and on, and removes one, while the others go on counting', async () => {
    const { ask, statuses } = await serveFaults({ faults: CONFIG })
    expect(await statuses(1)).toEqual([503])
    const added = await ask('POST', '/__faults', {
      match: { method: 'GET', path: '/posts' },
      times: 1,
      status: 500,
    })
    expect(added.status).toBe(201)
    expect(added.body.rules).toMatchObject([
      { id: 2, status: 500 },
      { id: 1, hits: 1 },
    ])
    expect(await statuses(2)).toEqual([500, 503])
    const off = await ask('PATCH', '/__faults/1', { on: false })
    expect(off.body.rules).toMatchObject([{ id: 2 }, { id: 1, on: false, hits: 2 }])
    expect(await statuses(1)).toEqual([200])
    await ask('PATCH', '/__faults/1', { on: true })
    expect(await statuses(1)).toEqual([503])
    expect((await ask('DELETE', '/__faults/1')).body.rules).toMatchObject([{ id: 2, hits: 1 }])
    expect(await statuses(1)).toEqual([200])
    expect((await ask('DELETE', '/__faults/1')).status).toBe(404)
    expect((await ask('PATCH', '/__faults/9', { on: true })).status).toBe(404)
  })

  it.each([
    [
      'PUT',
      '/__faults',
      { rules: [{}] },
      '"faults.rules.0" must be a rule with a status, a fault or a delay',
    ],
    [
      'PUT',
      '/__faults',
      { rules: [{ status: 503, fault: 'reset' }] },
      'either a status or a fault, not both',
    ],
    [
      'PUT',
      '/__faults',
      { rules: [{ delay: 1, body: {} }] },
      'a rule with a status, since it has headers or a body',
    ],
    [
      'PUT',
      '/__faults',
      { rules: [{ status: 99 }] },
      '"faults.rules.0.status" must be a status from 200 to 599, not 99',
    ],
    [
      'PUT',
      '/__faults',
      { rules: [{ fault: 'boom' }] },
      '"faults.rules.0.fault" must be "reset", "empty", "hang" or',
    ],
    [
      'PUT',
      '/__faults',
      { rules: [{ status: 503, rate: 2 }] },
      '"faults.rules.0.rate" must be a number from 0 to 1',
    ],
    [
      'PUT',
      '/__faults',
      { rules: [{ delay: [5, 1] }] },
      'a range whose first number is not above its second',
    ],
    ['PUT', '/__faults', { rules: [{ delay: 9e9 }] }, 'milliseconds from 0 to 600000'],
    [
      'PUT',
      '/__faults',
      { rules: [{ status: 503, match: { path: '/a/:id([)' } }] },
      'its groups and brackets are closed',
    ],
    ['PUT', '/__faults', { rules: [{ status: 503, match: { path: 'posts' } }] }, 'it begins with "/"'],
    ['PUT', '/__faults', { rules: [{ status: 503, headers: { 'a b': 'c' } }] }, 'must be a header name'],
    [
      'PUT',
      '/__faults',
      { rules: [{ status: 503, headers: { a: 'b\r\nc: d' } }] },
      'a string without line breaks',
    ],
    [
      'PUT',
      '/__faults',
      { rules: [{ status: 503, headers: { 'transfer-Encoding': 'chunked' } }] },
      'a header that does not say how a body is sent',
    ],
    [
      'PUT',
      '/__faults',
      { rules: [{ status: 503, headers: { Trailer: 'X-Sum' } }] },
      'a header that does not say how a body is sent',
    ],
    ['PUT', '/__faults', { rules: [{ statsu: 503 }] }, 'there is no setting "faults.rules.0.statsu"'],
    ['PUT', '/__faults', { rule: [] }, 'there is no setting "faults.rule". Did you mean "faults.rules"?'],
    ['PUT', '/__faults', [], '"faults" must be an object with seed and rules'],
    ['POST', '/__faults', { when: 'before' }, '"faults.rules.0.when" must be "after"'],
    ['PATCH', '/__faults/1', { on: 'yes' }, 'Send {"on": true} or {"on": false}.'],
  ])('%s %s refuses %j', async (method, path, body, message) => {
    const { ask } = await serveFaults({ faults: CONFIG })
    const answer = await ask(method, path, body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_BODY' } })
    expect(answer.body.message).toContain(message)
    expect((await ask('GET', '/__faults')).body).toMatchObject({ isConfig: true, rules: [{ hits: 0 }] })
  })

  it.each([
    `/${'a'.repeat(1e6)}`,
    `/${'['.repeat(60_000)}`,
    `/:a(${'a{1000}'.repeat(100)})`,
    `/${':a/'.repeat(51)}`,
  ])('refuses a path that is too large, and goes on: %#', async (path) => {
    const { ask } = await serveFaults({ faults: CONFIG })
    const { status, body } = await ask('PUT', '/__faults', { rules: [{ status: 503, match: { path } }] })
    expect([status, body.message]).toEqual([
      400,
      expect.stringContaining('at most 1000 characters, 50 parameters and 1000 steps'),
    ])
    expect((await ask('GET', '/posts/1')).status).toBe(200)
  })

  it.each(['PUT', 'POST', 'PATCH'])('refuses %s with a body that nobody can read', async (method) => {
    const { ask } = await serveFaults({ faults: CONFIG })
    const path = method === 'PATCH' ? '/__faults/1' : '/__faults'
    const answer = await ask(method, path, 'rules: []', { 'Content-Type': 'application/yaml' })
    expect(answer).toMatchObject({ status: 415, body: { code: 'INVALID_BODY' } })
    expect((await ask('GET', '/__faults')).body.isConfig).toBe(true)
  })

  it.each(['PUT', 'POST', 'DELETE', 'PATCH'])('refuses %s from a page of the web', async (method) => {
    const { ask } = await serveFaults({ faults: CONFIG })
    const path = method === 'PATCH' ? '/__faults/1' : '/__faults'
    const answer = await ask(method, path, { on: false }, { Origin: 'https://evil.example' })
    expect(answer).toMatchObject({ status: 403, body: { code: 'FOREIGN_ORIGIN' } })
    expect((await ask('GET', '/__faults')).body.isConfig).toBe(true)
  })

  it('is not limited, and needs the key that everything needs', async () => {
    const limited = await serveFaults({ middlewares: ['rate-limit'], rateLimit: { limit: 1 } })
    for (let count = 0; count < 3; count++) expect((await limited.ask('GET', '/__faults')).status).toBe(200)
    const guarded = await serveFaults({ middlewares: ['api-key'] })
    expect((await guarded.ask('PUT', '/__faults', {})).status).toBe(401)
    const hosted = await serveFaults({ hosted: { variant: 'private' } })
    expect((await hosted.ask('GET', '/__faults')).status).toBe(401)
    const key = { 'X-Api-Key': 'hosted-private-key-001' }
    expect((await hosted.ask('PUT', '/__faults', { rules: [{ status: 503 }] }, key)).status).toBe(200)
    expect((await hosted.ask('GET', '/products')).status).toBe(503)
  })

  it('shows no secrets of URLs', async () => {
    const { ask } = await serveFaults({ faults: CONFIG })
    await ask('GET', '/posts?token=hush')
    const { body } = await ask('GET', '/__faults')
    expect(body.decisions).toMatchObject([{ number: 1, method: 'GET', url: '/posts?token=***', fired: true }])
  })
})

describe('a session', () => {
  const inSession = (name: string) => ({ 'X-Mock-Session': name })

  it('has rules of its own, counted from its first request on', async () => {
    const { ask } = await serveFaults({ faults: { seed: 1, rules: [{ skip: 1, status: 503 }] } })
    const status = async (headers = {}) => (await ask('GET', '/posts', undefined, headers)).status
    expect([await status(), await status()]).toEqual([200, 503])
    expect([await status(inSession('a')), await status(inSession('a'))]).toEqual([200, 503])
    await ask('PUT', '/__faults', { rules: [{ status: 404 }] }, inSession('a'))
    expect([await status(inSession('a')), await status(inSession('b')), await status()]).toEqual([
      404, 200, 503,
    ])
    expect((await ask('GET', '/__faults', undefined, inSession('a'))).body).toMatchObject({ isConfig: false })
    await ask('DELETE', '/__sessions/a')
    expect([await status(inSession('a')), await status(inSession('a'))]).toEqual([200, 503])
  })

  it('keeps its rules and its clock, however many others ask in vain for one', async () => {
    const { ask } = await serveFaults({ sessions: { max: 1 } })
    await ask('PUT', '/__faults', { rules: [{ status: 404 }] }, inSession('a'))
    await ask('PUT', '/__clock', { now: '2027-01-01T00:00:00Z', frozen: true }, inSession('a'))
    for (let count = 0; count < 20; count++) {
      expect((await ask('GET', '/posts', undefined, inSession(`b${count}`))).status).toBe(503)
    }
    expect((await ask('GET', '/posts', undefined, inSession('a'))).status).toBe(404)
    expect((await ask('GET', '/__clock', undefined, inSession('a'))).body.frozen).toBe(true)
  })

  it('starts with the rules of the base as they are, and counts them from nothing', async () => {
    const { ask } = await serveFaults({ faults: { seed: 1, rules: [{ status: 418 }] } })
    const status = async (name: string) => (await ask('GET', '/posts', undefined, inSession(name))).status
    const rules = [{ status: 500 }, { skip: 1, status: 503 }, { status: 404, on: false }]
    const { body } = await ask('PUT', '/__faults', { seed: 'x', rules })
    await ask('DELETE', '/__faults/1')
    for (let count = 0; count < 3; count++) await ask('GET', '/posts')
    expect([await status('a'), await status('a')]).toEqual([200, 503])
    const own = await ask('GET', '/__faults', undefined, inSession('b'))
    expect(own.body).toMatchObject({ seed: 'x', isConfig: false, decisions: [] })
    expect(own.body.rules).toEqual(body.rules.slice(1))
    await ask('PATCH', '/__faults/3', { on: true }, inSession('b'))
    expect([await status('b'), await status('a')]).toEqual([404, 503])
    await ask('POST', '/__faults', { status: 410 }, inSession('b'))
    const added = await ask('GET', '/__faults', undefined, inSession('b'))
    expect(added.body.rules.map(({ id }: { id: number }) => id)).toEqual([4, 2, 3])
    await ask('DELETE', '/__faults', undefined, inSession('b'))
    expect(await status('b')).toBe(418)
  })

  it('does not take part in the rules that others set', async () => {
    const { ask } = await serveFaults()
    await ask('GET', '/posts', undefined, inSession('a'))
    await ask('PUT', '/__faults', { rules: [{ status: 503 }] })
    expect((await ask('GET', '/posts', undefined, inSession('a'))).status).toBe(200)
    await ask('PUT', '/__faults', {})
    await ask('PUT', '/__faults', { rules: [{ status: 503 }] }, inSession('a'))
    for (let count = 0; count < 3; count++) expect((await ask('GET', '/posts')).status).toBe(200)
  })
})

describe('the config', () => {
  it.each([
    [{ rules: [{ rate: 1 }] }, '"faults.rules.0" must be a rule with a status, a fault or a delay'],
    [
      { rules: { status: 503 } },
      '"faults.rules" must be a list of rules, not an object. For example: "faults": {"rules"',
    ],
  ])('is refused in one line if it has faults %j', async (faults, line) => {
    const wrong: object = { data: {}, faults }
    await expect(start(wrong)).rejects.toThrow(line)
  })
})
