import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { StartOptions } from '../../../src/index.ts'
import { fileOf } from '../../support/folder.ts'
import { BOB, MEMBERS, members } from '../../support/http/members.ts'
import { serve } from '../../support/http/serve.ts'

const data = () => ({ posts: [{ id: 1 }], profile: { name: 'x' } })
const serving = (options: StartOptions = {}) => serve({ data: data(), live: false, ...options })
const PATH = '/__resources'

describe('POST /__resources', () => {
  it('creates empty collections, in one change that can be undone and made again', async () => {
    const path = fileOf(JSON.stringify(data()))
    const { ask } = await serve({ source: path })
    const made = await ask('POST', PATH, { tags: [], 'to do': [] })
    expect(made).toMatchObject({ status: 201, body: { tags: [], 'to do': [] } })
    const stored = () => JSON.parse(readFileSync(path, 'utf8'))
    expect(stored()).toEqual({ ...data(), tags: [], 'to do': [] })
    expect((await ask('POST', '/to%20do', { a: 1 })).body).toEqual({ a: 1, id: 1 })
    const history = (await ask('GET', '/__history')).body
    expect(history[1]).toMatchObject({
      method: 'POST',
      url: PATH,
      changes: [
        { resource: 'tags', id: null, op: 'create' },
        { resource: 'to do', id: null, op: 'create' },
      ],
    })
    await ask('POST', '/__undo')
    await ask('POST', '/__undo')
    expect(stored()).toEqual(data())
    expect((await ask('GET', '/tags')).status).toBe(404)
    await ask('POST', '/__redo')
    expect((await ask('GET', '/tags')).body).toEqual([])
    expect(
      (await ask('GET', '/__service')).body.resources.map(({ name }: { name: string }) => name),
    ).toContain('to do')
  })

  it('is not undone over rows that came otherwise', async () => {
    const server = await serving({ live: true })
    await server.ask('POST', PATH, { tags: [] })
    await server.db.get('tags').push({ id: 1 }).write()
    expect((await server.ask('POST', '/__undo')).status).toBe(409)
    expect((await server.ask('GET', '/tags')).body).toEqual([{ id: 1 }])
  })

  it('stays in a session', async () => {
    const { ask } = await serving()
    const headers = { 'X-Mock-Session': 'a' }
    expect((await ask('POST', PATH, { tags: [] }, headers)).status).toBe(201)
    expect((await ask('GET', '/tags', undefined, headers)).body).toEqual([])
    expect((await ask('GET', '/tags')).status).toBe(404)
    await ask('POST', '/__undo', undefined, headers)
    expect((await ask('GET', '/tags', undefined, headers)).status).toBe(404)
  })

  it.each<readonly [object, number, string]>([
    [{ posts: [] }, 409, 'NAME_TAKEN'],
    [{ profile: [] }, 409, 'NAME_TAKEN'],
    [{ fine: [], posts: [] }, 409, 'NAME_TAKEN'],
    ...[
      'db',
      'DB',
      '__x',
      '__proto__',
      'a/b',
      'a\\b',
      '.',
      '..',
      '',
      'index.html',
      '$schema',
      'a\n',
      '\ud800',
      'x'.repeat(101),
    ].map((name) => [{ [name]: [] }, 422, 'VALIDATION_FAILED'] as const),
    [{ fine: [{ id: 1 }] }, 400, 'INVALID_BODY'],
    [{ fine: {} }, 400, 'INVALID_BODY'],
    [{}, 400, 'INVALID_BODY'],
    [[], 400, 'INVALID_BODY'],
  ])('refuses %j', async (body, status, code) => {
    const { ask } = await serving()
    expect(await ask('POST', PATH, body)).toMatchObject({ status, body: { code } })
    expect((await ask('GET', '/db')).body).toEqual(data())
  })

  it('is for admins where there are accounts, and for no page of another site', async () => {
    const { ask, login } = await members({}, MEMBERS)
    expect((await ask('POST', PATH, { tags: [] })).status).toBe(401)
    const bob = await login(BOB.email, BOB.password)
    expect((await ask('POST', PATH, { tags: [] }, bob.headers)).status).toBe(403)
    const { headers } = await login()
    expect((await ask('POST', PATH, { tags: [] }, { ...headers, Origin: 'http://evil.test' })).status).toBe(
      403,
    )
    expect((await ask('POST', PATH, { tags: [] }, headers)).status).toBe(201)
    const [newest] = (await ask('GET', '/__history', undefined, headers)).body
    expect(newest.changes).toEqual([{ resource: 'tags', id: null, op: 'create' }])
  })

  it('tells who follows', async () => {
    const { ask, url } = await serving()
    const stream = await fetch(`${url}/__events?resource=tags`)
    const reader = stream.body?.getReader()
    await ask('POST', PATH, { tags: [] })
    let text = ''
    while (!text.includes('event: change')) text += new TextDecoder().decode((await reader?.read())?.value)
    expect(text).toContain('"resources":[{"name":"tags","count":0}]')
    await reader?.cancel()
  })

  it('is refused by a read-only server', async () => {
    const { ask } = await serving({ readOnly: true })
    expect((await ask('POST', PATH, { tags: [] })).body.code).toBe('READ_ONLY')
  })
})
