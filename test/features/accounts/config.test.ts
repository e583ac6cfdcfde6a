import { describe, expect, it } from 'vitest'
import { type StartOptions, start } from '../../../src/index.ts'
import { MEMBERS, members } from '../../support/http/members.ts'

describe('a config with accounts', () => {
  it.each<[string, object, RegExp]>([
    [
      'jwt as well',
      { middlewares: ['jwt', 'accounts'] },
      /^"middlewares" lists both "jwt" and "accounts".* Keep one of them\.$/,
    ],
    [
      'it twice',
      { middlewares: ['accounts', 'accounts'] },
      /^"middlewares" lists "accounts" twice\. Keep one of them\.$/,
    ],
    [
      'no roles',
      { accounts: { roles: [] } },
      /^"accounts\.roles" must be a list of at least one role, not an empty list/,
    ],
    [
      'a role without a name',
      { accounts: { roles: ['user', ''] } },
      /^entry 2 .* must be the name of a role,/,
    ],
    ['a number as secret', { accounts: { secret: 123 } }, /^"accounts\.secret" must be a .*, not a number\./],
    [
      'a lifetime that is none',
      { accounts: { accessFor: 'soon' } },
      /^accounts\.accessFor: "soon" is not a lifetime/,
    ],
    [
      'a negative lifetime',
      { accounts: { refreshFor: -1 } },
      /accounts\.refreshFor" must be a positive number/,
    ],
    ['an option that is none', { accounts: { persnoa: true } }, /^there is no setting "accounts\.persnoa"/],
    [
      'an object as collection',
      { data: { users: {} } },
      /^accounts\.collection: "users" is a single object\./,
    ],
  ])('does not start with %s, and says so in one line', async (_, options, message) => {
    const settings: object = { port: 0, data: MEMBERS, middlewares: ['accounts'], ...options }
    const failure = await start(settings as StartOptions).then(
      (server) => server.close(),
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ name: 'ConfigError', message: expect.stringMatching(message) })
    expect(String(Reflect.get(Object(failure), 'message'))).not.toContain('\n')
  })

  it.each<[string, object, RegExp]>([
    ['options without the layer', { middlewares: [], accounts: {} }, /^accounts: the layer is off/],
    [
      'cookies behind the cors layer',
      { middlewares: ['cors', 'accounts'], accounts: { cookies: true } },
      /^accounts\.cookies: the cors layer/,
    ],
    [
      'X-Mock-User behind it',
      { middlewares: ['cors', 'accounts'], accounts: { persona: true } },
      /browsers will not send X-Mock-User/,
    ],
    [
      'no role that is admin',
      { accounts: { roles: ['user', 'editor'] }, resources: { posts: { access: 640 } } },
      /^accounts\.roles: there is no "admin", .* Add "admin" to accounts\.roles\.$/,
    ],
    [
      'no such role, without access',
      { accounts: { roles: ['user'] } },
      /^accounts\.roles: there is no "admin"/,
    ],
    [
      'bearer as well',
      { middlewares: ['bearer', 'accounts'] },
      /bearer and accounts both read the Authorization header/,
    ],
  ])('starts with a remark on %s', async (_, options, remark) => {
    const { lines } = await members(options)
    expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(remark)]))
  })

  it.each<object>([{}, { accounts: { roles: ['admin'] } }, { accounts: { roles: ['guest', 'admin'] } }])(
    'has admins, and nothing is said of them: %j',
    async (options) => {
      const { lines } = await members({ ...options, resources: { posts: { access: 640 } } })
      expect(lines.join('\n')).not.toContain('accounts.roles')
    },
  )

  it.each([64, 6, 0, 20, 6400, 641, 64.5, '64', '6400', 'rw'])(
    'does not start with access: %j, and says how to write it',
    async (access) => {
      const options: object = {
        port: 0,
        data: MEMBERS,
        middlewares: ['accounts'],
        resources: { posts: { access } },
      }
      const failure = await start(options as StartOptions).then(
        (server) => server.close(),
        (error: unknown) => error,
      )
      expect(failure).toMatchObject({
        name: 'ConfigError',
        message: expect.stringMatching(
          /"resources\.posts\.access" must be [^\n]*three digits such as 640[^\n]*$/,
        ),
      })
    },
  )

  it('says nothing of rules for users who are yet to come', async () => {
    const { lines } = await members({ resources: { users: { timestamps: true } } }, { posts: [] })
    expect(lines.join('\n')).not.toContain('resources.users')
  })

  it('has no accounts in the hosted variant', async () => {
    const { ask } = await members({ hosted: { variant: 'public' } })
    expect((await ask('POST', '/register', { email: 'a@b.c', password: 'password-of-a' })).status).toBe(404)
  })

  it('shows its settings, and no secret', async () => {
    const { ask } = await members({ accounts: { secret: 'SECRET-OF-TOKENS', cookies: true } })
    const { body } = await ask('GET', '/__service')
    expect(body.layers).toEqual([
      {
        name: 'accounts',
        kind: 'built-in',
        settings: {
          login: 'POST /login',
          register: 'POST /register',
          collection: 'users',
          accessFor: '15m',
          refreshFor: '7d',
          cookies: true,
          persona: false,
          roles: ['user', 'admin'],
        },
      },
    ])
  })
})
