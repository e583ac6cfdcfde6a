import * as z from 'zod'
import { DEFAULTS } from '../../layers/_defaults.ts'
import { milliseconds, text, texts, whole } from './schema-words.ts'

export const layerOptions = {
  cors: z
    .strictObject({ allowedHeaders: texts('a list of header names').optional() }, 'an object')
    .optional()
    .meta({
      description: 'Options of the cors layer',
      examples: [{ allowedHeaders: ['Content-Type', 'Authorization'] }],
    }),
  logger: z
    .strictObject({}, 'an object')
    .optional()
    .meta({ description: 'Options of the logger layer (none yet)', examples: [{}] }),
  apiKey: z
    .strictObject(
      {
        keys: z
          .record(
            z.string().regex(/^[a-zA-Z0-9-]{10,50}$/, 'made of 10 to 50 letters, digits and dashes'),
            z.array(
              z.enum(['read', 'write'], '"read" or "write"'),
              'a list of permissions, "read" and "write"',
            ),
            'an object that maps each key to a list of permissions',
          )
          .optional()
          .meta({ description: 'Each key and its permissions' }),
        publicRoutes: texts('a list of paths').optional().meta({ description: 'Paths that need no key' }),
      },
      'an object with keys and publicRoutes',
    )
    .optional()
    .meta({
      description: 'Options of the api-key layer',
      examples: [{ keys: { 'my-client-key-001': ['read', 'write'] } }],
    }),
  bearer: z
    .strictObject(
      {
        token: text('the token that clients send').optional(),
        publicRoutes: texts('a list of paths').optional().meta({ description: 'Paths that need no token' }),
      },
      'an object with token and publicRoutes',
    )
    .optional()
    .meta({ description: 'Options of the bearer layer', examples: [{ token: 'mock-bearer-token' }] }),
  jwt: z
    .strictObject(
      {
        users: z
          .array(
            z.looseObject(
              { email: text('an email address'), password: text('a password, plain or bcrypt') },
              'an object with email and password',
            ),
            'a list of objects with email and password',
          )
          .optional()
          .meta({ description: 'Who may log in; by default, the rows of the users collection' }),
        secret: text('the secret that signs tokens').optional(),
        expiresIn: lifetime()
          .optional()
          .meta({ description: 'Token lifetime: seconds, or a string such as "1h"', default: '1h' }),
      },
      'an object with users, secret and expiresIn',
    )
    .optional()
    .meta({
      description: 'Options of the jwt layer',
      examples: [{ users: [{ email: 'ada@example.com', password: 'secret' }], expiresIn: '1h' }],
    }),
  accounts: z
    .strictObject(
      {
        collection: text('the name of a collection').optional().meta({
          description: 'The collection that holds the users',
          default: DEFAULTS.accounts.collection,
        }),
        accessFor: lifetime().optional().meta({
          description: 'Lifetime of access tokens: seconds, or a string such as "15m"',
          default: DEFAULTS.accounts.accessFor,
        }),
        refreshFor: lifetime().optional().meta({
          description: 'Lifetime of refresh tokens, each of which can be used once',
          default: DEFAULTS.accounts.refreshFor,
        }),
        cookies: z
          .boolean('true or false')
          .optional()
          .meta({ description: 'Also set and read tokens as cookies', default: false }),
        persona: z
          .boolean('true or false')
          .optional()
          .meta({ description: 'Let X-Mock-User act as any user, without a password', default: false }),
        roles: texts('a list of roles')
          .optional()
          .meta({
            description: 'The roles of users; new ones have the first',
            default: [...DEFAULTS.accounts.roles],
          }),
        secret: text('the secret that signs tokens').optional(),
      },
      'an object with collection, accessFor, refreshFor, cookies, persona, roles and secret',
    )
    .optional()
    .meta({
      description: 'Options of the accounts layer',
      examples: [{ accessFor: '15m', refreshFor: '7d', roles: ['user', 'admin'] }],
    }),
  rateLimit: z
    .strictObject(
      {
        limit: whole('a whole number, 1 or more', 1).optional().meta({ default: 10 }),
        windowMs: whole('a whole number of milliseconds, 1 or more', 1).optional().meta({ default: 60_000 }),
      },
      'an object with limit and windowMs',
    )
    .optional()
    .meta({ description: 'Options of the rate-limit layer', examples: [{ limit: 10, windowMs: 60_000 }] }),
}

/** A fixed delay for all requests, or the range of the delay layer. */
export function delayOptions() {
  const must = 'a whole number of milliseconds, or the range of the delay layer with min and max'
  const end = milliseconds('a whole number of milliseconds').optional()
  const range = z
    .strictObject({ min: end, max: end }, must)
    .refine(
      ({ min = DEFAULTS.delay.min, max = DEFAULTS.delay.max }) => min <= max,
      `a range whose min (${DEFAULTS.delay.min} by default) is not above its max (${DEFAULTS.delay.max} by default)`,
    )
  return z.union([milliseconds(must), range], must)
}

function lifetime() {
  const must = 'a positive number of seconds, or a string such as "1h"'
  return z.union([z.number(must).positive(must), text(must)], must)
}
