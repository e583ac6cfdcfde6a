import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeApi } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'
import { ADA, BOB, MEMBERS, members } from '../../support/http/members.ts'

/** Everything that must never leave the server. */
const SECRETS = [ADA.password, 'password-of-ada', BOB.password, 'password-of-eve', 'password-of-kim', '$2b$']

const SCHEMA = {
  type: 'object',
  properties: { email: { type: 'string' }, password: { type: 'string', minLength: 12, maxLength: 20 } },
  required: ['email', 'password'],
}

/** Ways to look at users. */
const LOOKS = [
  ...['/users', '/users/1', '/db', '/stats', '/users?q=password', '/users?q=$2b', '/users?_sort=password'],
  ...[
    '/users?password=password-of-bob',
    '/users?password_like=.',
    '/users?password_ne=x',
    '/users?_fields=password',
  ],
  ...[
    '/users?_where={"password":{"contains":"a"}}',
    '/users?_fields=id,password',
    '/users?_explain=true&password=x',
  ],
  ...[
    '/users/1?_fields=password',
    '/users?_omit=id',
    '/posts?_expand=user',
    '/users?_embed=posts',
    '/users?_page=1',
  ],
  ...[
    '/posts?_expand=user&user.password_like=.',
    '/posts?_expand=user&_sort=user.password',
    '/users?_per_page=1',
  ],
  ...['/users?filter={"password":"password-of-bob"}', '/users?password:startsWith=p', '/users?callback=cb'],
  ...['/__schema', '/__schema/users', '/__openapi', '/__history', '/__changes?since=0', '/__service', '/me'],
  ...['/users/1/posts', '/users?password_null=false', '/users?strict=1&_strict=true&password=x'],
]

describe('the password', () => {
  it('is in no answer and no line of the log, whatever is asked', async () => {
    const resources = { users: { schema: SCHEMA } }
    const { ask, login, lines, stored } = await members(
      { resources, cascade: true },
      {
        ...MEMBERS,
        posts: [{ id: 1, userId: 1 }],
      },
    )
    const { headers } = await login()
    const eve = { email: 'eve@example.com', password: 'password-of-eve', name: 'Eve' }
    const texts: string[] = []
    const see = async (...request: Parameters<typeof ask>) => {
      const answer = await ask(...request)
      texts.push(JSON.stringify([answer.body, [...answer.headers]]))
      return answer
    }
    await see('POST', '/register', eve)
    await see('POST', '/register', eve)
    await see('POST', '/login', { email: eve.email, password: eve.password })
    await see('PATCH', '/users/1', { password: 'password-of-kim' }, headers)
    const again = await login(ADA.email, 'password-of-kim')
    await see('PUT', '/users/1', { email: ADA.email, role: 'admin', password: 'short' }, again.headers)
    await see('PUT', '/users/1', { email: ADA.email, role: 'admin', note: 'x' }, again.headers)
    await see('PATCH', '/users?id=1', { password: 'password-of-eve' }, again.headers)
    const last = await login(ADA.email, 'password-of-eve')
    for (const look of LOOKS) await see('GET', look, undefined, last.headers)
    for (const path of ['/__undo', '/__undo', '/__redo']) await see('POST', path, {}, last.headers)
    await see('DELETE', '/users/2', undefined, { ...last.headers, Prefer: 'return=representation' })
    const all = texts.join('\n') + lines.join('\n')
    for (const secret of SECRETS) expect(all).not.toContain(secret)
    expect(texts.slice(0, 9).join('\n')).not.toMatch(/"password\\*":(?!\\*"(?:must|is))/)
    for (const { password } of stored().users) expect(password).toMatch(/^(\$2b\$|password-of-bob)/)
    expect(stored().users[0].note).toBe('x')
  })

  it('is no field: a filter on it is ignored or refused, and no suggestion names it', async () => {
    const { ask, login } = await members()
    const { headers } = await login()
    expect((await ask('GET', '/users?password=x', undefined, headers)).body).toHaveLength(2)
    const { status, body } = await ask('GET', '/users?pasword=x&_strict=true', undefined, headers)
    expect([status, body.code]).toEqual([400, 'INVALID_QUERY'])
    expect(body.message).not.toMatch(/\bpassword\b/)
    const { body: explained } = await ask('GET', '/users?password_like=x&_explain=true', undefined, headers)
    expect(explained.plan.matched).not.toBe(1)
  })

  it('is no field of schemas, OpenAPI and types, inferred or declared', async () => {
    for (const resources of [{}, { users: { schema: SCHEMA } }]) {
      const api = await describeApi({ data: structuredClone(MEMBERS), middlewares: ['accounts'], resources })
      expect(JSON.stringify(await api.schema())).not.toContain('password')
      expect(await api.types()).not.toContain('password')
      const { components, paths } = await api.openapi()
      expect(JSON.stringify(Reflect.get(Object(components), 'schemas'))).not.toContain('password')
      expect(JSON.stringify(paths['/users'])).not.toContain('password')
      expect(JSON.stringify(paths['/register'])).toContain('password')
      const described = Object.keys(paths)
      expect(described).toEqual(
        expect.arrayContaining(['/me', '/auth/login', '/refresh-token', '/logout', '/signup']),
      )
    }
  })

  it('is judged by a schema as it is sent, and not as it is stored', async () => {
    const { ask, login, lines } = await members({ resources: { users: { schema: SCHEMA } } })
    expect(lines.join('\n')).not.toContain('not fit the schema')
    const long = { email: 'x@y', password: 'a password that is too long' }
    expect((await ask('POST', '/register', long)).body.errors).toEqual({
      password: expect.stringMatching(/20/),
    })
    const short = { email: 'x@y', password: '12345678' }
    expect((await ask('POST', '/register', short)).body.errors).toEqual({
      password: expect.stringMatching(/12/),
    })
    const { headers } = await login()
    expect((await ask('PATCH', '/users/1', { name: 'Ada' }, headers)).status).toBe(200)
    expect((await ask('PUT', '/users/1', { email: ADA.email, role: 'admin' }, headers)).status).toBe(200)
  })

  it('stays in the file byte by byte, in snapshots, and through a reset', async () => {
    const snapshots = folderOf()
    const { ask, login, path, stored } = await members({ snapshots })
    const { headers } = await login()
    const text = readFileSync(path, 'utf8')
    await ask('POST', '/posts', { title: 'two' }, headers)
    await ask('DELETE', '/posts/2', undefined, headers)
    expect(readFileSync(path, 'utf8')).toBe(text)
    const snapshot = await ask('POST', '/__snapshots__', undefined, headers)
    expect(snapshot.status).toBe(201)
    await ask('PATCH', '/users/2', { name: 'Bob' }, headers)
    await ask('POST', '/__reset', {}, headers)
    expect(stored()).toEqual(MEMBERS)
    await ask('DELETE', '/users/2', undefined, headers)
    expect((await ask('PUT', `/__snapshots__/${snapshot.body.id}`, undefined, headers)).status).toBe(200)
    expect(stored()).toEqual(MEMBERS)
    expect((await login(BOB.email, BOB.password)).accessToken).toEqual(expect.any(String))
  })

  it('comes with edits of the file, and goes when they say so', async () => {
    const { ask, login, path } = await members({ watch: true })
    const kim = { id: 9, email: 'kim@example.com', password: 'password-of-kim' }
    writeFileSync(path, JSON.stringify({ ...MEMBERS, users: [ADA, kim] }))
    const { headers } = await login()
    // A write reads the file first.
    await ask('POST', '/posts', {}, headers)
    expect((await login(kim.email, kim.password)).user).toEqual({ id: 9, email: 'kim@example.com' })
    expect((await login(BOB.email, BOB.password)).accessToken).toBeUndefined()
  })

  it('stays in an object that a program serves live, which sees new users whole', async () => {
    const data = structuredClone(MEMBERS)
    const { users } = data
    const { ask, login, server } = await members({ data })
    const { headers } = await login()
    expect((await ask('GET', '/db', undefined, headers)).body.users).toEqual(
      [ADA, BOB].map(({ password: _, ...user }) => user),
    )
    const eve = { email: 'eve@example.com', password: 'password-of-eve' }
    expect((await ask('POST', '/register', eve)).status).toBe(201)
    expect(users).toHaveLength(3)
    expect(users[0]).toEqual(ADA)
    expect(users[2]).toMatchObject({ email: eve.email, password: expect.stringMatching(/^\$2b\$/) })
    Object.assign(users[1] ?? {}, { name: 'Bobby', password: 'changed-in-place' })
    expect((await ask('GET', '/users/2', undefined, headers)).body.name).toBe('Bobby')
    expect((await ask('POST', '/login', { email: BOB.email, password: 'changed-in-place' })).status).toBe(200)
    expect(server.db.get('users').find({ id: 2 }).value()).toMatchObject({ password: 'changed-in-place' })
    expect(
      (await ask('GET', '/users', undefined, headers)).body.map((user: object) => 'password' in user),
    ).toEqual([false, false, false])
  })
})

it('leaves nothing but the file behind', async () => {
  const { path } = await members()
  expect(readdirSync(join(path, '..'))).toEqual(['db.json'])
})
