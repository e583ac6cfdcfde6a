import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { SECRETS } from '../../support/hostile/discreet.ts'
import { attack, type Victim } from '../../support/hostile/victim.ts'

const DATA = { items: [{ id: 1 }] }
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwk = publicKey.export({ format: 'jwk' })

let victim: Victim
let header: string
let payload: string
let signature: string

beforeAll(async () => {
  const users = [{ email: 'ada@example.com', password: SECRETS.password }]
  victim = await attack(DATA, { config: { middlewares: ['jwt'], jwt: { secret: SECRETS.jwt, users } } })
  const { body } = await victim.ask('POST', '/login', {
    email: 'ada@example.com',
    password: SECRETS.password,
  })
  const [first = '', second = '', third = ''] = String(JSON.parse(body).token).split('.')
  header = first
  payload = second
  signature = third
})

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const admin = (change: object = {}) =>
  encode({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), role: 'admin', ...change })
const hmac = (text: string, secret: string, hash = 'sha256') =>
  `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`
const HS256 = encode({ alg: 'HS256', typ: 'JWT' })

it.each<[string, () => string, number]>([
  ['with another role and the old signature', () => `${header}.${admin()}.${signature}`, 403],
  ['with no signature', () => `${header}.${admin()}.`, 403],
  ['with no signature and no last dot', () => `${header}.${admin()}`, 403],
  ['that says alg none', () => `${encode({ alg: 'none' })}.${admin()}.`, 403],
  ['that says alg NoNe', () => `${encode({ alg: 'NoNe' })}.${admin()}.${signature}`, 403],
  ['that says no alg', () => `${encode({ typ: 'JWT' })}.${admin()}.${signature}`, 403],
  ['signed with another secret', () => hmac(`${HS256}.${admin()}`, 'secret'), 403],
  ['signed with an empty secret', () => hmac(`${HS256}.${admin()}`, '\0'), 403],
  [
    'signed rightly, but with HS512',
    () => hmac(`${encode({ alg: 'HS512' })}.${admin()}`, SECRETS.jwt, 'sha512'),
    403,
  ],
  [
    'signed with a key of their own (RS256)',
    () => {
      const text = `${encode({ alg: 'RS256', jwk })}.${admin()}`
      return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
    },
    403,
  ],
  [
    'signed with a public key as if it were the secret',
    () => hmac(`${HS256}.${admin()}`, publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    403,
  ],
  [
    'with a kid that leads to an empty file',
    () => hmac(`${encode({ alg: 'HS256', kid: '../../../../dev/null' })}.${admin()}`, '\0'),
    403,
  ],
  [
    'with a kid that is SQL',
    () => hmac(`${encode({ alg: 'HS256', kid: "' UNION SELECT 'x" })}.${admin()}`, 'x'),
    403,
  ],
  [
    'with a jku',
    () => hmac(`${encode({ alg: 'HS256', jku: 'http://127.0.0.1:9/keys' })}.${admin()}`, 'x'),
    403,
  ],
  ['with crit', () => `${encode({ alg: 'HS256', crit: ['exp'] })}.${payload}.${signature}`, 403],
  [
    'of claims that are a text',
    () => hmac(`${HS256}.${Buffer.from('"admin"').toString('base64url')}`, SECRETS.jwt),
    403,
  ],
  ['that has expired', () => hmac(`${HS256}.${admin({ exp: 1 })}`, SECRETS.jwt), 401],
  ['that is not valid yet', () => hmac(`${HS256}.${admin({ nbf: 4_000_000_000 })}`, SECRETS.jwt), 403],
  ['whose end is not a number', () => hmac(`${HS256}.${admin({ exp: 'never' })}`, SECRETS.jwt), 403],
  ['of 10,000 dots', () => '.'.repeat(10_000), 403],
  ['of nothing', () => '', 403],
])('a token %s does not let a write through', async (_name, forge, status) => {
  for (const [method, path] of [
    ['POST', '/items'],
    ['PUT', '/items/1'],
    ['PATCH', '/items/1'],
    ['DELETE', '/items/1'],
  ] as const) {
    const answer = await victim.ask(method, path, { name: 'forged' }, { authorization: `Bearer ${forge()}` })
    // Node trims headers, so that an empty token is no token.
    expect([status, forge() === '' ? 401 : status]).toContain(answer.status)
    expect(JSON.parse(answer.body).code).toMatch(/^AUTH_(REQUIRED|FORBIDDEN)$/)
  }
  await victim.expectUnharmed()
})

it('the token itself lets it through', async () => {
  const authorization = `Bearer ${header}.${payload}.${signature}`
  expect((await victim.ask('PATCH', '/items/1', { name: 'mine' }, { authorization })).status).toBe(200)
})
