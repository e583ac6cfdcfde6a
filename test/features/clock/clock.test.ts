import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { StartOptions } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'
import { asking } from '../../support/http/asking.ts'
import { serve } from '../../support/http/serve.ts'

const NEW_YEAR = '2027-01-01T00:00:00.000Z'

async function servePosts(options: StartOptions = {}) {
  const server = await serve({ data: { posts: [{ id: 1 }] }, ...options })
  const ask = asking(server.url)
  return { server, ask }
}

describe('/__clock', () => {
  it('shows, sets, freezes, advances and resets the time', async () => {
    const { ask } = await servePosts()
    const first = await ask('GET', '/__clock')
    expect(first.body).toMatchObject({ frozen: false, offset: 0 })
    expect(first.body.now).toBe(first.body.real)

    const frozen = await ask('PUT', '/__clock', { now: '2027-01-01T00:00:00Z', frozen: true })
    expect(frozen).toMatchObject({ status: 200, body: { now: NEW_YEAR, frozen: true } })
    expect((await ask('POST', '/__clock/advance', { by: '1h' })).body).toMatchObject({
      now: '2027-01-01T01:00:00.000Z',
      frozen: true,
    })
    expect((await ask('POST', '/__clock/advance', { by: -3_600_000 })).body.now).toBe(NEW_YEAR)
    expect((await ask('GET', '/__clock/')).body.now).toBe(NEW_YEAR)

    const real = await ask('DELETE', '/__clock')
    expect(real.body).toMatchObject({ frozen: false, offset: 0 })
  })

  it('goes on when it is no longer frozen, and can be frozen where it is', async () => {
    const { ask, server } = await servePosts()
    await ask('PUT', '/__clock', { now: NEW_YEAR })
    expect(server.clock.face.frozen).toBe(false)
    const { body } = await ask('PUT', '/__clock', { frozen: true })
    expect(body).toMatchObject({ now: expect.stringMatching(/^2027-01-01T00:00/), frozen: true })
    expect((await ask('GET', '/__clock')).body.now).toBe(body.now)
  })

  it.each([
    ['PUT', '/__clock', {}, 'Send at least one of both'],
    ['PUT', '/__clock', { now: 'tomorrow' }, '"tomorrow" is not a time. Write it with its time zone'],
    ['PUT', '/__clock', { now: null }, 'null is not a time'],
    ['PUT', '/__clock', { now: '1969-12-31T23:59:59Z' }, 'from 1970 to 9999'],
    ['PUT', '/__clock', { frozen: 'yes' }, '"frozen" must be true or false'],
    ['PUT', '/__clock', { freeze: true }, 'There is no field "freeze" here'],
    ['PUT', '/__clock', [], 'The body must be an object'],
    ['POST', '/__clock/advance', {}, 'Send how far: {"by": "1h"}'],
    ['POST', '/__clock/advance', { by: 'soon' }, '"soon" is not a duration. Write "1h"'],
    ['POST', '/__clock/advance', { by: '9999999w' }, 'from 1970 to 9999'],
  ])('%s %s refuses %j with 400, and the time stays', async (method, path, body, message) => {
    const { ask, server } = await servePosts()
    const answer = await ask(method, path, body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_BODY' } })
    expect(answer.body.message).toContain(message)
    expect(server.clock.isReal).toBe(true)
  })

  it('refuses a body that nobody can read', async () => {
    const { ask, server } = await servePosts()
    const headers = { 'Content-Type': 'application/yaml' }
    const answer = await ask('PUT', '/__clock', 'now: 0', headers)
    expect(answer).toMatchObject({ status: 415, body: { code: 'INVALID_BODY' } })
    expect(server.clock.isReal).toBe(true)
  })

  it.each([
    ['a page of the web', { Origin: 'https://evil.example' }, 403],
    ['a page of the web that is trusted', { Origin: 'https://app.example' }, 200],
    ['a page on this machine', { Origin: 'http://localhost:5173' }, 200],
    ['a program', {}, 200],
  ])('can be turned by %s or not: %j gets %d', async (_, headers, status) => {
    const { ask } = await servePosts({ trustedOrigins: ['https://app.example'] })
    for (const [method, path, body] of [
      ['PUT', '/__clock', { now: NEW_YEAR }],
      ['POST', '/__clock/advance', { by: '1h' }],
      ['DELETE', '/__clock', undefined],
    ] as const) {
      const answer = await ask(method, path, body, headers)
      expect(answer.status).toBe(status)
      if (status === 403) expect(answer.body.code).toBe('FOREIGN_ORIGIN')
    }
    expect((await ask('GET', '/__clock', undefined, headers)).status).toBe(200)
  })

  it('is not reached through a rewrite rule, and none takes it away', async () => {
    const home = folderOf({ 'routes.json': { '/public/*': '/$1', '/*': '/posts/$1' } })
    const routes = join(home, 'routes.json')
    const { ask, server } = await servePosts({ routes })
    await ask('PUT', '/public/__clock', { now: NEW_YEAR })
    expect(server.clock.isReal).toBe(true)
    await ask('PUT', '/__clock', { now: NEW_YEAR })
    expect(server.clock.isReal).toBe(false)
  })

  it('is turned by nobody when the server is read-only', async () => {
    const { ask } = await servePosts({ readOnly: true })
    expect((await ask('PUT', '/__clock', { now: NEW_YEAR })).status).toBe(403)
    expect((await ask('GET', '/__clock')).status).toBe(200)
  })

  it('is not there in the hosted variant', async () => {
    const { ask } = await servePosts({ hosted: { variant: 'public' } })
    expect((await ask('GET', '/__clock')).status).toBe(404)
  })
})

describe('the clock decides', () => {
  it('how long a token is good, to the second', async () => {
    const { ask, server } = await servePosts({ middlewares: ['jwt'], jwt: { secret: 's'.repeat(32) } })
    server.clock.set({ now: NEW_YEAR, frozen: true })
    const { token } = (await ask('POST', '/login', { email: 'a@b.c', password: 'x' })).body
    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
    expect(claims).toMatchObject({ iat: Date.UTC(2027, 0) / 1000, exp: Date.UTC(2027, 0) / 1000 + 3600 })
    const headers = { Authorization: `Bearer ${token}` }
    const write = async () => (await ask('POST', '/posts', {}, headers)).status
    expect(await write()).toBe(201)
    server.clock.advance('59m59s')
    expect(await write()).toBe(201)
    server.clock.advance('1s')
    expect(await write()).toBe(401)
  })

  it('but a token that is good by either clock can turn it', async () => {
    const { ask, server } = await servePosts({ middlewares: ['jwt'], jwt: { secret: 's'.repeat(32) } })
    const login = async () => (await ask('POST', '/login', { email: 'a@b.c', password: 'x' })).body.token
    const ofToday = { Authorization: `Bearer ${await login()}` }
    await ask('PUT', '/__clock', { now: NEW_YEAR.replace('2027', '2099') }, ofToday)
    const ofThen = { Authorization: `Bearer ${await login()}` }
    expect((await ask('POST', '/posts', {}, ofToday)).status).toBe(401)
    expect((await ask('POST', '/__clock/advance', { by: '1m' }, ofToday)).status).toBe(200)
    expect((await ask('POST', '/__clock/advance', { by: '1m' }, ofThen)).status).toBe(200)
    expect((await ask('POST', '/__clock/advance', { by: '1m' })).status).toBe(401)
    expect(
      (await ask('POST', '/__clock/advance', { by: '1m' }, { Authorization: 'Bearer x.y.z' })).status,
    ).toBe(403)
    // Only there: nothing else is reached by writing such a path.
    expect((await ask('POST', '/posts?x=/__clock', {}, ofToday)).status).toBe(401)
    expect((await ask('DELETE', '/__clock', undefined, ofToday)).status).toBe(200)
    expect(server.clock.isReal).toBe(true)
  })

  it('when a rate limit ends, and a step back starts its windows again', async () => {
    const { ask, server } = await servePosts({
      middlewares: ['rate-limit'],
      rateLimit: { limit: 1, windowMs: 60_000 },
    })
    server.clock.set({ now: NEW_YEAR, frozen: true })
    const get = async () => ask('GET', '/posts')
    const first = await get()
    expect(first.status).toBe(200)
    expect(first.headers.get('x-ratelimit-reset')).toBe(String(Date.UTC(2027, 0) / 1000 + 60))
    expect((await get()).status).toBe(429)
    await ask('POST', '/__clock/advance', { by: '59s' })
    expect((await get()).status).toBe(429)
    await ask('POST', '/__clock/advance', { by: '1s' })
    expect((await get()).status).toBe(200)
    expect((await get()).status).toBe(429)
    await ask('POST', '/__clock/advance', { by: '-1s' })
    const again = await get()
    expect(again.status).toBe(200)
    expect(again.headers.get('x-ratelimit-reset')).toBe(String(Date.UTC(2027, 0) / 1000 + 119))
    expect((await get()).status).toBe(429)
  })

  it.each(['/__clock', '/__clock/', '/__clock?x=1'])('but %s is never limited', async (path) => {
    const { ask } = await servePosts({ middlewares: ['rate-limit'], rateLimit: { limit: 1 } })
    for (let count = 0; count < 3; count++) expect((await ask('GET', path)).status).toBe(200)
    expect((await ask('GET', '/posts')).status).toBe(200)
    expect((await ask('GET', '/__clockwork')).status).toBe(429)
    expect((await ask('GET', '/posts?/__clock')).status).toBe(429)
  })

  it('what timestamps and X-Server-Time say, and how snapshots and log lines are dated', async () => {
    const folder = folderOf()
    const lines: string[] = []
    const { ask, server } = await servePosts({
      snapshots: folder,
      middlewares: ['delay', 'logger', 'api-key'],
      delay: { min: 0, max: 0 },
      print: (line) => lines.push(line),
    })
    server.clock.set({ now: NEW_YEAR, frozen: true })
    const key = { 'X-API-KEY': 'web-client-key-001' }
    const refused = await ask('GET', '/posts')
    expect(refused.body).toMatchObject({ code: 'API_KEY_MISSING', timestamp: NEW_YEAR })
    expect(refused.headers.get('x-server-time')).toBe(NEW_YEAR)
    expect((await ask('GET', '/health-check', undefined, key)).body.timestamp).toBe(NEW_YEAR)
    const name = `db-${Date.UTC(2027, 0)}`
    expect((await ask('POST', '/__snapshots__', undefined, key)).body).toMatchObject({
      id: name,
      createdAt: NEW_YEAR,
    })
    expect((await server.snapshot()).id).toBe(`${name}-1`)
    expect((await readdir(folder)).toSorted()).toEqual([`${name}-1.json`, `${name}.json`])
    await expect.poll(() => lines.join('\n')).toContain(`${NEW_YEAR} GET /posts 401`)
  })

  it('when requests and changes are said to have happened', async () => {
    const { ask, server } = await servePosts()
    server.clock.set({ now: NEW_YEAR, frozen: true })
    const events = await fetch(`${server.url}/__events`)
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
    await ask('POST', '/posts', {})
    let text = ''
    while (!(text.includes('event: request') && text.includes('event: change'))) {
      text += (await reader?.read())?.value ?? ''
    }
    await reader?.cancel()
    expect(text.match(/"time":"([^"]+)"/g)).toEqual([`"time":"${NEW_YEAR}"`, `"time":"${NEW_YEAR}"`])
  })

  it('nothing about the Date header', async () => {
    const { ask, server } = await servePosts()
    server.clock.set({ now: NEW_YEAR })
    const { headers } = await ask('GET', '/posts')
    expect(Math.abs(Date.parse(headers.get('date') ?? '') - Date.now())).toBeLessThan(60_000)
  })

  it('in a session only what happens there', async () => {
    const { ask, server } = await servePosts({
      data: { posts: [] },
      resources: { posts: { timestamps: true } },
      middlewares: ['rate-limit'],
      rateLimit: { limit: 3, windowMs: 60_000 },
    })
    const mine = { 'X-Mock-Session': 'mine' }
    await ask('PUT', '/__clock', { now: NEW_YEAR, frozen: true }, mine)
    expect(server.clock.isReal).toBe(true)
    expect((await ask('GET', '/__clock', undefined, { 'X-Mock-Session': 'other' })).body.offset).toBe(0)
    expect((await ask('POST', '/posts', {}, mine)).body.createdAt).toBe(NEW_YEAR)
    expect((await ask('POST', '/posts', {})).body.createdAt).not.toBe(NEW_YEAR)
    expect((await ask('GET', '/health-check', undefined, mine)).body.timestamp).toBe(NEW_YEAR)
    expect((await ask('GET', '/posts', undefined, mine)).status).toBe(200)
    expect((await ask('GET', '/posts', undefined, mine)).status).toBe(429)
    expect((await ask('GET', '/posts')).status).toBe(200)
    await ask('POST', '/__clock/advance', { by: '1m' }, mine)
    expect((await ask('GET', '/posts', undefined, mine)).status).toBe(200)
  })

  it('in a session what the base showed at its first request, and then its own', async () => {
    const { ask, server } = await servePosts({ resources: { posts: { timestamps: true } } })
    const as = (name: string) => ({ 'X-Mock-Session': name })
    const made = async (name: string) => (await ask('POST', '/posts', {}, as(name))).body.createdAt
    server.clock.set({ now: NEW_YEAR, frozen: true })
    expect(await made('a')).toBe(NEW_YEAR)
    expect((await ask('GET', '/__clock', undefined, as('a'))).body).toMatchObject({ frozen: true })
    server.clock.advance('1h')
    expect([await made('a'), await made('b')]).toEqual([NEW_YEAR, '2027-01-01T01:00:00.000Z'])
    await ask('POST', '/__clock/advance', { by: '1d' }, as('a'))
    expect(await made('a')).toBe('2027-01-02T00:00:00.000Z')
    expect(server.clock.iso()).toBe('2027-01-01T01:00:00.000Z')
    expect((await ask('DELETE', '/__clock', undefined, as('a'))).body.offset).toBe(0)
    expect((await ask('GET', '/__history', undefined, as('b'))).body[0].at).toBe('2027-01-01T01:00:00.000Z')
  })

  it('when rows are said to be made and changed', async () => {
    const { ask, server } = await servePosts({ resources: { posts: { timestamps: true } } })
    server.clock.set({ now: NEW_YEAR, frozen: true })
    const { body } = await ask('POST', '/posts', {})
    expect(body).toMatchObject({ createdAt: NEW_YEAR, updatedAt: NEW_YEAR })
    server.clock.advance('1h')
    const changed = await ask('PATCH', `/posts/${body.id}`, { a: 1 })
    expect(changed.body).toMatchObject({ createdAt: NEW_YEAR, updatedAt: '2027-01-01T01:00:00.000Z' })
  })

  it('nothing for another server of the same process', async () => {
    const [one, other] = [await servePosts(), await servePosts()]
    one.server.clock.advance('1h')
    expect(other.server.clock.isReal).toBe(true)
  })
})
