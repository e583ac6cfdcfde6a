import * as z from 'zod/mini'
import { LONGEST_WAIT } from '../../layers/parts/hold-response.ts'
import { API_KEY, DEFAULTS } from '../../layers/parts/options.ts'
import { options, setting, text, texts, whole } from './setting.ts'

const { expiresIn } = DEFAULTS.jwt
const { collection, accessFor, refreshFor, cookies, persona, roles } = DEFAULTS.accounts
const { limit, windowMs } = DEFAULTS.rateLimit

const paths = texts('a list of paths')
const secret = text('the secret that signs tokens')
const onOff = z.boolean('true or false')

/** The options of each built-in layer, under its name in camelCase. Those of `delay` are a setting of their own. */
export const layerOptions = {
  cors: layer(
    'cors',
    { allowedHeaders: ['Content-Type', 'Authorization'] },
    {
      allowedHeaders: setting(texts('a list of header names'), 'Request headers that pages may send', {
        without: 'five',
      }),
    },
  ),
  logger: layer('logger', {}, {}),
  apiKey: layer(
    'api-key',
    { keys: { 'my-client-key-001': ['read', 'write'] } },
    {
      keys: setting(apiKeys(), 'Each key with its list of `"read"`, `"write"`', { without: 'three keys' }),
      publicRoutes: setting(paths, 'Paths that need no key', { without: 'three' }),
    },
  ),
  bearer: layer(
    'bearer',
    { token: 'mock-bearer-token' },
    {
      token: setting(text('the token that clients send'), 'The token', { without: '`mock-bearer-token`' }),
      publicRoutes: setting(paths, 'Paths that need no token', { without: 'two' }),
    },
  ),
  jwt: layer(
    'jwt',
    { users: [{ email: 'ada@example.com', password: 'secret' }], expiresIn: '1h' },
    {
      users: setting(users(), 'Who may log in: `email`, `password`, and any other field', {
        without: 'see [jwt](layers.md#jwt)',
      }),
      secret: setting(secret, 'Signs the tokens', { without: 'see [jwt](layers.md#jwt)' }),
      expiresIn: setting(lifetime(), 'Lifetime of a token: seconds, or a string such as `"1h"`', {
        default: expiresIn,
      }),
    },
  ),
  accounts: layer(
    'accounts',
    { accessFor: '15m', refreshFor: '7d', roles: ['user', 'admin'] },
    {
      collection: setting(text('the name of a collection'), 'The collection that holds the users', {
        default: collection,
      }),
      accessFor: setting(lifetime(), 'Lifetime of an access token: seconds, or a string such as `"15m"`', {
        default: accessFor,
      }),
      refreshFor: setting(lifetime(), 'Lifetime of a refresh token, which can be used once', {
        default: refreshFor,
      }),
      cookies: setting(onOff, 'Also set and read the tokens as cookies', { default: cookies }),
      persona: setting(onOff, '`X-Mock-User` acts as any user, without a password', { default: persona }),
      roles: setting(texts('a list of roles'), 'The roles of users; new ones have the first', {
        default: [...roles],
      }),
      secret: setting(secret, 'Signs the tokens', { without: 'see [accounts](accounts.md#options)' }),
    },
  ),
  rateLimit: layer(
    'rate-limit',
    { limit: 10, windowMs: 60_000 },
    {
      limit: setting(whole('a whole number, 1 or more', 1), 'Requests per window', { default: limit }),
      windowMs: setting(
        whole('a whole number of milliseconds, 1 or more', 1),
        'Length of the window in milliseconds',
        { default: windowMs },
      ),
    },
  ),
}

function layer<T extends z.core.$ZodShape>(name: string, example: object, shape: T) {
  const none = Object.keys(shape).length === 0 ? ' (none yet)' : ''
  return setting(options(shape), `Options of [${name}](layers.md#${name})${none}`, { examples: [example] })
}

function apiKeys() {
  const must = 'a list of permissions, "read" and "write"'
  return z.record(
    z.string().check(z.regex(API_KEY, 'made of 10 to 50 letters, digits and dashes')),
    z.array(z.enum(['read', 'write'], '"read" or "write"'), must),
    'an object that maps each key to a list of permissions',
  )
}

function users() {
  const user = { email: text('an email address'), password: text('a password, plain or bcrypt') }
  return z.array(
    z.looseObject(user, 'an object with email and password'),
    'a list of objects with email and password',
  )
}

export function delayOptions() {
  const { min: least, max: most } = DEFAULTS.delay
  const must = 'a whole number of milliseconds, or the range of the delay layer with min and max'
  const end = whole('a whole number of milliseconds', 0, LONGEST_WAIT)
  const range = z
    .strictObject(
      {
        min: setting(end, 'The least of that range', { default: least }),
        max: setting(end, 'The most of it', { default: most }),
      },
      must,
    )
    .check(
      z.refine(
        ({ min = least, max = most }) => min <= max,
        `a range whose min (${least} by default) is not above its max (${most} by default)`,
      ),
    )
  return z.union([whole(must, 0, LONGEST_WAIT), range], must)
}

function lifetime() {
  const must = 'a positive number of seconds, or a string such as "1h"'
  return z.union([z.number(must).check(z.positive(must)), text(must)], must)
}
