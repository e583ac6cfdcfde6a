import * as z from 'zod'
import { DEFAULTS } from '../../layers/_defaults.ts'
import { LONGEST_WAIT, setting, text, texts, whole } from './catalogue.ts'

/** The options of each built-in layer, under its name in camelCase. Those of `delay` are a setting of their own. */
export const layerOptions = {
  cors: setting(
    z.strictObject(
      {
        allowedHeaders: setting(texts('a list of header names'), 'Request headers that pages may send', {
          without: 'five',
        }),
      },
      'an object',
    ),
    'Options of [cors](layers.md#cors)',
    { examples: [{ allowedHeaders: ['Content-Type', 'Authorization'] }] },
  ),
  logger: setting(z.strictObject({}, 'an object'), 'Options of [logger](layers.md#logger) (none yet)', {
    examples: [{}],
  }),
  apiKey: setting(
    z.strictObject(
      {
        keys: setting(
          z.record(
            z.string().regex(/^[a-zA-Z0-9-]{10,50}$/, 'made of 10 to 50 letters, digits and dashes'),
            z.array(
              z.enum(['read', 'write'], '"read" or "write"'),
              'a list of permissions, "read" and "write"',
            ),
            'an object that maps each key to a list of permissions',
          ),
          'Each key with its list of `"read"`, `"write"`',
          { without: 'three keys' },
        ),
        publicRoutes: setting(texts('a list of paths'), 'Paths that need no key', { without: 'three' }),
      },
      'an object with keys and publicRoutes',
    ),
    'Options of [api-key](layers.md#api-key)',
    { examples: [{ keys: { 'my-client-key-001': ['read', 'write'] } }] },
  ),
  bearer: setting(
    z.strictObject(
      {
        token: setting(text('the token that clients send'), 'The token', { without: '`mock-bearer-token`' }),
        publicRoutes: setting(texts('a list of paths'), 'Paths that need no token', { without: 'two' }),
      },
      'an object with token and publicRoutes',
    ),
    'Options of [bearer](layers.md#bearer)',
    { examples: [{ token: 'mock-bearer-token' }] },
  ),
  jwt: setting(
    z.strictObject(
      {
        users: setting(
          z.array(
            z.looseObject(
              { email: text('an email address'), password: text('a password, plain or bcrypt') },
              'an object with email and password',
            ),
            'a list of objects with email and password',
          ),
          'Who may log in: `email`, `password`, and any other field',
          { without: 'see [jwt](layers.md#jwt)' },
        ),
        secret: setting(text('the secret that signs tokens'), 'Signs the tokens', {
          without: 'see [jwt](layers.md#jwt)',
        }),
        expiresIn: setting(lifetime(), 'Lifetime of a token: seconds, or a string such as `"1h"`', {
          default: DEFAULTS.jwt.expiresIn,
        }),
      },
      'an object with users, secret and expiresIn',
    ),
    'Options of [jwt](layers.md#jwt)',
    { examples: [{ users: [{ email: 'ada@example.com', password: 'secret' }], expiresIn: '1h' }] },
  ),
  accounts: setting(accountsOptions(), 'Options of [accounts](layers.md#accounts)', {
    examples: [{ accessFor: '15m', refreshFor: '7d', roles: ['user', 'admin'] }],
  }),
  rateLimit: setting(
    z.strictObject(
      {
        limit: setting(whole('a whole number, 1 or more', 1), 'Requests per window', {
          default: DEFAULTS.rateLimit.limit,
        }),
        windowMs: setting(
          whole('a whole number of milliseconds, 1 or more', 1),
          'Length of the window in milliseconds',
          { default: DEFAULTS.rateLimit.windowMs },
        ),
      },
      'an object with limit and windowMs',
    ),
    'Options of [rate-limit](layers.md#rate-limit)',
    { examples: [{ limit: 10, windowMs: 60_000 }] },
  ),
}

function accountsOptions() {
  const { collection, accessFor, refreshFor, cookies, persona, roles } = DEFAULTS.accounts
  const onOff = z.boolean('true or false')
  return z.strictObject(
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
      secret: setting(text('the secret that signs tokens'), 'Signs the tokens', {
        without: 'see [accounts](layers.md#accounts)',
      }),
    },
    'an object with collection, accessFor, refreshFor, cookies, persona, roles and secret',
  )
}

/** A fixed delay for all requests, or the range of the delay layer. */
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
    .refine(
      ({ min = least, max = most }) => min <= max,
      `a range whose min (${least} by default) is not above its max (${most} by default)`,
    )
  return z.union([whole(must, 0, LONGEST_WAIT), range], must)
}

function lifetime() {
  const must = 'a positive number of seconds, or a string such as "1h"'
  return z.union([z.number(must).positive(must), text(must)], must)
}
