import { generateKeyPairSync } from 'node:crypto'
import { hashSync } from 'bcryptjs'
import type express from 'express'
import jsonwebtoken from 'jsonwebtoken'
import request from 'supertest'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ConfigError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { type JwtOptions, jwt } from '../../../src/core/layers/jwt.ts'
import { rewriter } from '../../../src/core/layers/rewriter.ts'
import { expressVersions, guarded } from '../../support/http/guarded.ts'
import { jobsOfThreads } from '../../support/http/jobs.ts'

const quiet = () => {}
const SECRET = 'a secret of these tests'
const ADA = { id: 7, email: 'ada@example.com', password: 'lovelace', role: 'editor', name: 'Ada' }
const BOB = { email: 'bob@example.com', password: hashSync('builder', 4) }
const HASH = hashSync('builder', 4)

const withUsers: JwtOptions = { users: [ADA, BOB], secret: SECRET, log: quiet }

beforeEach(() => {
  vi.stubEnv('JWT_SECRET', undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

describe.each(expressVersions)('jwt in %s', (_, make) => {
  it('hands out a token behind a rewriter', async () => {
    const { app } = guarded([rewriter({ '/api/*': '/$1' }), jwt(withUsers)], make)
    const { email, password } = ADA
    expect((await request(app).post('/api/login').send({ email, password })).status).toBe(200)
    expect((await request(app).post('/other/login').send({ email, password })).status).toBe(401)
  })

  it.each(['/login', '/auth/login', '/login/', '/login?from=home'])(
    'hands out a token at %s',
    async (path) => {
      const { app, reached } = guarded([jwt(withUsers)], make)
      const { status, body } = await request(app)
        .post(path)
        .send({ email: ADA.email, password: ADA.password })

      expect(status).toBe(200)
      expect(Object.keys(body)).toEqual(['accessToken', 'token', 'expiresIn', 'user'])
      expect(body.token).toBe(body.accessToken)
      expect(body.expiresIn).toBe(3600)
      expect(body.user).toEqual({ id: 7, email: ADA.email, role: 'editor', name: 'Ada' })
      const claims = jsonwebtoken.verify(body.token, SECRET, { complete: true })
      expect(claims.header.alg).toBe('HS256')
      expect(claims.payload).toEqual({
        sub: '7',
        email: ADA.email,
        role: 'editor',
        iat: expect.any(Number),
        exp: expect.any(Number),
      })
      expect(reached).toEqual([])
    },
  )

  it.each(['post', 'put', 'patch', 'delete'] as const)('lets only a token from here %s', async (method) => {
    const { app, reached } = guarded([jwt(withUsers)], make)
    const refused = await request(app)[method]('/products/1')
    expect(refused.status).toBe(401)
    expect(Object.keys(refused.body)).toEqual(['error', 'message', 'code'])
    expect(refused.body.code).toBe('AUTH_REQUIRED')
    expect(reached).toEqual([])

    const login = await request(app).post('/login').send({ email: ADA.email, password: ADA.password })
    const allowed = await request(app)
      [method]('/products/1')
      .set('Authorization', `Bearer ${login.body.token}`)
    expect(allowed.status).toBe(200)
    expect(reached).toEqual([
      {
        method: method.toUpperCase(),
        url: '/products/1',
        user: { id: 7, email: ADA.email, role: 'editor' },
      },
    ])
  })

  it.each(['get', 'head', 'options'] as const)('knows who sends a %s with a token', async (method) => {
    const { app, reached } = guarded([jwt(withUsers)], make)
    const { body } = await request(app).post('/login').send({ email: ADA.email, password: ADA.password })
    const expired = jsonwebtoken.sign({ sub: '7', iat: 1, exp: 2 }, SECRET)
    const forged = jsonwebtoken.sign({ sub: '7' }, 'guess')
    for (const token of [body.token, expired, forged, 'junk', undefined]) {
      const asked = request(app)[method]('/products')
      expect((await (token ? asked.set('Authorization', `Bearer ${token}`) : asked)).status).toBe(200)
    }
    const user = { id: 7, email: ADA.email, role: 'editor' }
    expect(reached.map((one) => one.user)).toEqual([user, undefined, undefined, undefined, undefined])
  })

  it('takes a password of jwt.users that is a number, as one in a collection', async () => {
    const { app } = guarded([jwt({ ...withUsers, users: [{ email: 'ada', password: 1234 }] })], make)
    const login = (password: string) => request(app).post('/login').send({ email: 'ada', password })
    expect((await login('1234')).status).toBe(200)
    expect((await login('123')).status).toBe(401)
  })

  it.each<[string, JwtOptions, string, unknown]>([
    ['a number of jwt.users', { users: [ADA, BOB] }, '7', 7],
    ['the place of a user without one', { users: [ADA, BOB] }, '2', 2],
    ['a text of jwt.users', { users: [{ ...ADA, id: '7' }] }, '7', '7'],
    [
      'one of both kinds',
      {
        users: [
          { ...ADA, id: 'a' },
          { ...BOB, id: 2 },
        ],
      },
      '2',
      2,
    ],
    ['a number of a collection', { findUsers: () => [{ id: 1 }, ADA] }, '7', 7],
    ['a text of a collection', { findUsers: () => [{ ...ADA, id: '007' }] }, '007', '007'],
    [
      'a number far back',
      { findUsers: () => Array.from({ length: 5000 }, (_row, id) => ({ id })) },
      '4999',
      4999,
    ],
    ['a user who is gone', { findUsers: () => [{ id: 1 }] }, '7', 7],
    ['a user who is gone, among texts', { findUsers: () => [{ id: 'a' }] }, '7', '7'],
    ['an email in its place', { findUsers: () => [{ email: 'a@b.test' }] }, 'a@b.test', 'a@b.test'],
    ['nobody in particular', {}, '1', 1],
    ['no user at all', { findUsers: () => [] }, '7', '7'],
  ])('gives %s an id of the same type as the users', async (_case, options, sub, id) => {
    const { app, reached } = guarded([jwt({ secret: SECRET, log: quiet, ...options })], make)
    const token = jsonwebtoken.sign({ sub, email: 'a@b.test', role: 'user' }, SECRET)
    for (const method of ['get', 'post'] as const) {
      await request(app)[method]('/products').set('Authorization', `Bearer ${token}`)
    }
    const user = { id, email: 'a@b.test', role: 'user' }
    expect(reached.map((one) => one.user)).toEqual([user, user])
  })

  it.each(['get', 'head', 'options'] as const)('leaves %s to everybody', async (method) => {
    const { app, reached } = guarded([jwt(withUsers)], make)
    expect((await request(app)[method]('/products')).status).toBe(200)
    expect((await request(app)[method]('/login')).status).toBe(200)
    expect((await request(app)[method]('/products').set('Authorization', 'Bearer junk')).status).toBe(200)
    expect(reached).toHaveLength(3)
  })

  it.each([
    ['a wrong password', { email: ADA.email, password: 'wrong' }],
    ['an unknown email', { email: 'eve@example.com', password: ADA.password }],
    ['an email in capitals', { email: ADA.email.toUpperCase(), password: ADA.password }],
    ['a wrong password where a hash is kept', { email: BOB.email, password: 'wrong' }],
    ['the hash itself', { email: BOB.email, password: BOB.password }],
    ["somebody else's password", { email: ADA.email, password: 'builder' }],
  ])('refuses %s and does not say which part was wrong', async (_case, credentials) => {
    const { app, reached } = guarded([jwt(withUsers)], make)
    const answer = await request(app).post('/login').send(credentials)

    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({
      error: 'Unauthorized',
      message: 'Email or password is wrong.',
      code: 'AUTH_REQUIRED',
    })
    expect(reached).toEqual([])
  })

  it.each([
    ['JSON', 'application/json', '{"email":"ada@example.com","password":"lovelace"}'],
    ['a kind of JSON', 'application/vnd.api+json', '{"email":"ada@example.com","password":"lovelace"}'],
    ['a form', 'application/x-www-form-urlencoded', 'email=ada%40example.com&password=lovelace'],
    ['JSON said to be text', 'text/plain', ' {"email":"ada@example.com","password":"lovelace"}\n'],
    [
      'JSON said to be a form',
      'application/x-www-form-urlencoded',
      '{"email":"ada@example.com","password":"lovelace"}',
    ],
  ])('reads a login from %s', async (_case, type, body) => {
    const { app } = guarded([jwt(withUsers)], make)
    const answer = await request(app).post('/login').set('Content-Type', type).send(body)
    expect(answer.status).toBe(200)
  })

  it.each([
    ['{"email":"a","password":"pass-word"', 'line 1, column 36 should be "," or "}"'],
    ['{"email":"a",\n"password":pass-word}', 'line 2, column 12 should be a value'],
  ])('says where %j stops being JSON, without quoting it', async (sent, place) => {
    const { app } = guarded([jwt(withUsers)], make)
    const { body } = await request(app).post('/login').type('json').send(sent)
    expect(body.message).toContain(place)
    expect(body.message).not.toContain('pass-word')
  })

  it.each([
    [
      'JSON that ends too early',
      'application/json',
      '{"email":"a","password":"pass-word"',
      400,
      'MALFORMED_JSON',
    ],
    ['JSON with a comma too many', 'application/json', '{"password":"pass-word",}', 400, 'MALFORMED_JSON'],
    ['text', 'text/plain', 'email=a&password=pass-word', 400, 'MALFORMED_JSON'],
    ['broken JSON as a form', 'application/x-www-form-urlencoded', '{"email":', 400, 'MALFORMED_JSON'],
    ['nothing', 'application/json', '', 400, 'INVALID_BODY'],
    ['null', 'application/json', 'null', 400, 'INVALID_BODY'],
    ['a list', 'application/json', '[]', 400, 'INVALID_BODY'],
    ['no password', 'application/json', '{"email":"ada@example.com"}', 400, 'INVALID_BODY'],
    ['no email', 'application/json', '{"password":"lovelace"}', 400, 'INVALID_BODY'],
    ['an empty password', 'application/json', '{"email":"a","password":""}', 400, 'INVALID_BODY'],
    ['an object for an email', 'application/json', '{"email":{"a":1},"password":"b"}', 400, 'INVALID_BODY'],
    ['a number for a password', 'application/json', '{"email":"a","password":1}', 400, 'INVALID_BODY'],
    ['an unknown charset', 'application/json; charset=klingon', '{}', 400, 'INVALID_BODY'],
    ['too much', 'application/json', `{"email":"${'a'.repeat(20_000)}"}`, 413, 'BODY_TOO_LARGE'],
  ])('refuses a login with %s', async (_case, type, body, status, code) => {
    const { app, reached } = guarded([jwt({ secret: SECRET, log: quiet })], make)
    const answer = await request(app).post('/login').set('Content-Type', type).send(body)

    expect(answer.status).toBe(status)
    expect(Object.keys(answer.body)).toEqual(['error', 'message', 'code'])
    expect(answer.body.code).toBe(code)
    expect(answer.text).not.toContain('pass-word')
    expect(reached).toEqual([])
  })

  it('accepts a body that was already parsed', async () => {
    const { app } = guarded([make.json(), jwt(withUsers)], make)
    const good = await request(app).post('/login').send({ email: ADA.email, password: ADA.password })
    expect(good.status).toBe(200)
    expect((await request(app).post('/login').send({ email: ADA.email })).body.code).toBe('INVALID_BODY')
  })

  it('finds the login below the prefix it is mounted at', async () => {
    const app = make()
    app.use('/api', jwt(withUsers))
    const good = await request(app).post('/api/login').send({ email: ADA.email, password: ADA.password })
    expect(good.status).toBe(200)
    expect((await request(app).post('/api/other/login').send({})).status).toBe(401)
    expect((await request(app).post('/login').send({})).status).toBe(404)
  })

  it('passes on errors of the user lookup', async () => {
    let broken = false
    const findUsers = () => {
      if (broken) throw new Error('out of order')
      return []
    }
    const app = make().use(jwt({ findUsers, secret: SECRET, log: quiet }))
    const seen: unknown[] = []
    const onError: express.ErrorRequestHandler = (error, _req, res, _next) => {
      seen.push(error)
      res.status(500).end()
    }
    app.use(onError)
    broken = true
    expect((await request(app).post('/login').send({ email: 'a', password: 'b' })).status).toBe(500)
    expect(seen).toEqual([new Error('out of order')])
  })
})

describe('a token', () => {
  const claims = { sub: '7', email: ADA.email, role: 'admin' }
  const now = Math.floor(Date.now() / 1000)
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const sign = (secret: string, options: jsonwebtoken.SignOptions) =>
    jsonwebtoken.sign(claims, secret, options)
  const good = sign(SECRET, { expiresIn: '1h' })
  const [header = '', payload = '', signature = ''] = good.split('.')
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  it.each([
    ['signed with another secret', sign('another', {}), 403],
    ['signed with another secret and expired', sign('another', { expiresIn: -10 }), 403],
    ['signed with an empty secret', `${header}.${payload}.`, 403],
    ['with alg none', jsonwebtoken.sign(claims, '', { algorithm: 'none' }), 403],
    ['with alg none but a signature', `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.${signature}`, 403],
    ['with alg nOnE', `${encode({ alg: 'nOnE', typ: 'JWT' })}.${payload}.`, 403],
    ['signed by HS384', sign(SECRET, { algorithm: 'HS384' }), 403],
    ['signed by HS512', sign(SECRET, { algorithm: 'HS512' }), 403],
    ['signed by RS256', jsonwebtoken.sign(claims, privateKey, { algorithm: 'RS256' }), 403],
    ['with other claims', `${header}.${encode({ ...claims, role: 'root' })}.${signature}`, 403],
    [
      'with another header',
      `${encode({ alg: 'HS256', kid: '../../dev/null' })}.${payload}.${signature}`,
      403,
    ],
    ['that holds no claims', jsonwebtoken.sign('just text', SECRET), 403],
    ['not valid yet', sign(SECRET, { notBefore: 3600 }), 403],
    ['of two parts', `${header}.${payload}`, 403],
    ['of junk', 'junk', 403],
    ['of dots', '..', 403],
    ['of broken JSON', `${Buffer.from('{').toString('base64url')}.${payload}.${signature}`, 403],
    ['after two spaces', ` ${good}`, 403],
    ['that has expired', jsonwebtoken.sign({ ...claims, exp: now - 1 }, SECRET), 401],
  ])('%s is refused', async (_case, token, status) => {
    const { app, reached } = guarded([jwt(withUsers)])
    const answer = await request(app).post('/products').set('Authorization', `Bearer ${token}`)

    expect(answer.status).toBe(status)
    expect(Object.keys(answer.body)).toEqual(['error', 'message', 'code'])
    expect(answer.body.code).toBe(status === 401 ? 'AUTH_REQUIRED' : 'AUTH_FORBIDDEN')
    expect(reached).toEqual([])
  })

  it.each(['bearer', 'token', 'Basic', ''])('after the scheme "%s" counts as none', async (scheme) => {
    const { app, reached } = guarded([jwt(withUsers)])
    const answer = await request(app).post('/products').set('Authorization', `${scheme} ${good}`.trim())
    expect(answer.status).toBe(401)
    expect(reached).toEqual([])
  })
})

describe('the users of jwt', () => {
  const login = async (options: JwtOptions, email: string, password: string) =>
    request(guarded([jwt({ secret: SECRET, log: quiet, ...options })]).app)
      .post('/login')
      .send({ email, password })

  it.each(['$2a$', '$2b$', '$2y$'])('may have a bcrypt hash that starts with %s', async (prefix) => {
    const findUsers = () => [{ id: 'x', email: 'bob', password: HASH.replace(/^\$2.\$/, prefix) }]
    const answer = await login({ findUsers }, 'bob', 'builder')
    expect(answer.body.user).toEqual({ id: 'x', email: 'bob', role: 'user' })
    expect((await login({ findUsers }, 'bob', 'wrong')).status).toBe(401)
  })

  it.each([
    ['a hash that is cut short', HASH.slice(0, 40)],
    ['a hash that would take minutes', HASH.replace('$04$', '$20$')],
    ['a hash of a kind that is not supported', HASH.replace('$2b$', '$2x$')],
  ])('cannot log in with %s, nor can anyone who has read it', async (_case, password) => {
    const findUsers = () => [{ email: 'bob', password }]
    expect((await login({ findUsers }, 'bob', 'builder')).status).toBe(401)
    expect((await login({ findUsers }, 'bob', password)).status).toBe(401)
  })

  it.each([
    ['a known email with a hash', BOB.email],
    ['a known email without one', ADA.email],
    ['an unknown email', 'eve@example.com'],
  ])(
    'cost one comparison of hashes for %s, so that time does not tell who is known',
    async (_case, email) => {
      const jobs = jobsOfThreads()
      expect((await login({ users: [ADA, BOB] }, email, 'wrong')).status).toBe(401)
      const hash = expect.stringMatching(/^\$2b\$04\$/)
      expect(jobs()).toMatchObject([{ password: 'wrong', hash, padding: [] }])
    },
  )

  it('are numbered by position and get a default role', async () => {
    const users = [
      { email: 'a', password: 'p' },
      { email: 'b', password: 'p' },
    ]
    expect((await login({ users }, 'b', 'p')).body.user).toEqual({ id: 2, email: 'b', role: 'user' })
  })

  it('come from the options rather than the collection', async () => {
    const options = { users: [ADA], findUsers: () => [{ email: 'bob', password: 'p' }] }
    expect((await login(options, 'bob', 'p')).status).toBe(401)
    expect((await login(options, ADA.email, ADA.password)).status).toBe(200)
  })

  it('may have a number as a password, as people write it in JSON', async () => {
    expect((await login({ findUsers: () => [{ email: 'a', password: 1234 }] }, 'a', '1234')).status).toBe(200)
  })

  it('are exposed by a collection with plain passwords, and the log says so', () => {
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    const given = { secret: SECRET, log }
    jwt({ ...given, findUsers: () => [BOB] })
    jwt({ ...given, users: [ADA], findUsers: () => [ADA] })
    expect(lines).toEqual([])
    jwt({ ...given, findUsers: () => [BOB, ADA] })
    expect(lines).toEqual([expect.stringContaining('GET /users exposes the passwords')])
  })

  it('without email or password are skipped', async () => {
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    const findUsers = () => [null, 7, { email: 'a' }, { password: 'p' }, { email: 1, password: 'p' }]
    expect((await login({ findUsers, log }, 'a', 'undefined')).status).toBe(401)
    expect(lines).toEqual([expect.stringContaining('jwt: nobody can log in')])
  })

  it('can be anyone until there is a list, and the log says so once', async () => {
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    let rows: unknown[] | undefined
    const { app } = guarded([jwt({ findUsers: () => rows, secret: SECRET, log })])
    expect(lines).toEqual([expect.stringContaining('any email and any password can log in')])

    const open = await request(app).post('/login').send({ email: 'eve', password: 'x' })
    expect(open.body.user).toEqual({ id: 1, email: 'eve', role: 'admin' })
    expect(lines).toHaveLength(1)

    rows = [{ email: 'ada', password: 'p' }]
    expect((await request(app).post('/login').send({ email: 'eve', password: 'x' })).status).toBe(401)
    expect((await request(app).post('/login').send({ email: 'ada', password: 'p' })).status).toBe(200)
  })
})

describe('the settings of jwt', () => {
  const login = (app: express.Express) => request(app).post('/login').send({ email: 'a', password: 'b' })

  it('take the secret from JWT_SECRET if none is given', async () => {
    vi.stubEnv('JWT_SECRET', 'from outside')
    const { body } = await login(guarded([jwt({ log: quiet })]).app)
    expect(jsonwebtoken.verify(body.token, 'from outside')).toMatchObject({ email: 'a' })
  })

  it('generate a secret if there is none, and say so without revealing it', async () => {
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    const one = guarded([jwt({ users: [ADA], log })])
    expect(lines).toEqual([expect.stringMatching(/random secret.*set jwt\.secret or JWT_SECRET/)])

    const other = guarded([jwt({ log: quiet })])
    const { body } = await login(other.app)
    const answer = await request(one.app).post('/').set('Authorization', `Bearer ${body.token}`)
    expect(answer.status).toBe(403)
  })

  it('log nothing when everything is set', () => {
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    jwt({ users: [ADA], secret: SECRET, log })
    expect(lines).toEqual([])
  })

  it('warn once about JSON under another content type', async () => {
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    const { app } = guarded([jwt({ ...withUsers, log })])
    for (let i = 0; i < 2; i++)
      await request(app).post('/login').type('text').send('{"email":"a","password":"b"}')
    expect(lines).toEqual([expect.stringContaining('Content-Type: application/json')])
  })

  it.each([
    [90, 90],
    ['1h', 3600],
    ['15 minutes', 900],
    ['7d', 604_800],
    ['1500ms', 1],
  ])('read the lifetime %j as %d seconds', async (expiresIn, seconds) => {
    const { body } = await login(guarded([jwt({ expiresIn, secret: SECRET, log: quiet })]).app)
    expect(body.expiresIn).toBe(seconds)
    const claims = jsonwebtoken.verify(body.token, SECRET, { ignoreExpiration: true, complete: true }).payload
    expect(typeof claims === 'object' && Number(claims.exp) - Number(claims.iat)).toBe(seconds)
  })

  it.each([
    ['{"secret":""}', 'jwt.secret must be a non-empty string'],
    ['{"secret":123}', 'jwt.secret must be a non-empty string'],
    [
      '{"expiresIn":"3600"}',
      'jwt.expiresIn: "3600" is not a lifetime; write whole seconds as a number (3600)',
    ],
    ['{"expiresIn":"soon"}', 'jwt.expiresIn: "soon" is not a lifetime'],
    ['{"expiresIn":""}', 'jwt.expiresIn must be a positive number of seconds, or a string'],
    ['{"expiresIn":"-1h"}', 'jwt.expiresIn: "-1h" is not a lifetime'],
    ['{"expiresIn":"10ms"}', 'jwt.expiresIn: "10ms" is not a lifetime'],
    [
      '{"expiresIn":0}',
      'jwt.expiresIn must be a positive number of seconds, or a string with a unit ("15m", "1h", "7d"), not 0',
    ],
    ['{"expiresIn":1.5}', 'jwt.expiresIn: 1.5 is not a lifetime'],
    ['{"expiresIn":"999999y"}', 'jwt.expiresIn: "999999y" is not a lifetime'],
    ['{"expiresIn":true}', 'jwt.expiresIn must be a positive number of seconds, or a string'],
    [
      '{"users":[]}',
      'jwt.users must be a list of at least one object with email and password (else nobody could',
    ],
    ['{"users":{}}', 'jwt.users must be a list of at least one object'],
    ['{"users":{"email":"a","password":"b"}}', 'jwt.users must be a list of at least one object'],
    [
      '{"users":[{"email":"a","password":"hidden"},{"email":"b"}]}',
      'jwt.users: the password of user 2 must be a password, plain or bcrypt',
    ],
    [
      '{"users":[{"email":"","password":"hidden"}]}',
      'jwt.users: the email of user 1 must be an email address',
    ],
    ['{"findUsers":"users"}', 'jwt.findUsers must be a function'],
    ['{"log":"file"}', 'jwt.log must be a function'],
    [
      '{"expires":"1h"}',
      'jwt.expires is not an option; the options are: users, findUsers, secret, expiresIn, log',
    ],
    ['true', 'jwt must be an object'],
  ])('are refused at startup: %s', (options, message) => {
    const given = JSON.parse(options)
    const build = () => jwt(typeof given === 'object' ? { secret: SECRET, log: quiet, ...given } : given)
    expect(build).toThrow(ConfigError)
    expect(build).toThrow(message)
    expect(build).not.toThrow(/hidden|\n/)
  })

  it('are checked before anything is logged about the secret', () => {
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    expect(() => jwt({ expiresIn: '3600', log })).toThrow('jwt.expiresIn')
    expect(() => jwt({ users: [], log })).toThrow('jwt.users')
    expect(lines).toEqual([])
  })

  it('are refused at startup when JWT_SECRET is empty', () => {
    vi.stubEnv('JWT_SECRET', '')
    expect(() => jwt({ log: quiet })).toThrow('JWT_SECRET must be a non-empty string')
  })
})
