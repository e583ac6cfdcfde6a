import * as z from 'zod/mini'
import { LONGEST_WAIT } from '../../layers/parts/hold-response.ts'
import { EXAMPLES, LIFETIME, OPTION_TYPES, SECRET, text, whole } from '../../layers/parts/option-types.ts'
import { DEFAULTS } from '../../layers/parts/options.ts'
import { options, setting } from './setting.ts'

const { expiresIn } = DEFAULTS.jwt
const { collection, accessFor, refreshFor, cookies, persona, roles } = DEFAULTS.accounts
const { limit, windowMs } = DEFAULTS.rateLimit

const { cors, delay, apiKey, bearer, jwt, rateLimit } = OPTION_TYPES
const roleList = 'a list of at least one role'
const onOff = z.boolean('true or false')

/** The options of each built-in layer, under its name in camelCase. Those of `delay` are a setting of their own. */
export const layerOptions = {
  cors: layer('cors', EXAMPLES.cors, {
    allowedHeaders: setting(cors.allowedHeaders, 'Request headers that pages may send', {
      without: 'five',
    }),
  }),
  logger: layer('logger', {}, {}),
  apiKey: layer('api-key', EXAMPLES.apiKey, {
    keys: setting(apiKey.keys, 'Each key with its list of `"read"`, `"write"`', { without: 'three keys' }),
    publicRoutes: setting(apiKey.publicRoutes, 'Paths that need no key', { without: 'three' }),
  }),
  bearer: layer('bearer', EXAMPLES.bearer, {
    token: setting(bearer.token, 'The token', { without: '`mock-bearer-token`' }),
    publicRoutes: setting(bearer.publicRoutes, 'Paths that need no token', { without: 'two' }),
  }),
  jwt: layer('jwt', EXAMPLES.jwt, {
    users: setting(jwt.users, 'Who may log in: `email`, `password`, and any other field', {
      without: 'see [jwt](layers.md#jwt)',
    }),
    secret: setting(SECRET, 'Signs the tokens', { without: 'see [jwt](layers.md#jwt)' }),
    expiresIn: setting(LIFETIME, 'Lifetime of a token: seconds, or a string such as `"1h"`', {
      default: expiresIn,
    }),
  }),
  accounts: layer(
    'accounts',
    { accessFor: '15m', refreshFor: '7d', roles: ['user', 'admin'] },
    {
      collection: setting(text('the name of a collection'), 'The collection that holds the users', {
        default: collection,
      }),
      accessFor: setting(LIFETIME, 'Lifetime of an access token: seconds, or a string such as `"15m"`', {
        default: accessFor,
      }),
      refreshFor: setting(LIFETIME, 'Lifetime of a refresh token, which can be used once', {
        default: refreshFor,
      }),
      cookies: setting(onOff, 'Also set and read the tokens as cookies', { default: cookies }),
      persona: setting(onOff, '`X-Mock-User` acts as any user, without a password', { default: persona }),
      roles: setting(
        z.array(text('the name of a role'), roleList).check(z.minLength(1, roleList)),
        'The roles of users; new ones have the first',
        {
          default: [...roles],
        },
      ),
      secret: setting(SECRET, 'Signs the tokens', { without: 'see [accounts](accounts.md#options)' }),
    },
  ),
  rateLimit: layer('rate-limit', EXAMPLES.rateLimit, {
    limit: setting(rateLimit.limit, 'Requests per window', { default: limit }),
    windowMs: setting(rateLimit.windowMs, 'Length of the window in milliseconds', { default: windowMs }),
  }),
}

function layer<T extends z.core.$ZodShape>(name: string, example: object, shape: T) {
  const none = Object.keys(shape).length === 0 ? ' (none yet)' : ''
  return setting(options(shape), `Options of [${name}](layers.md#${name})${none}`, { examples: [example] })
}

export function delayOptions() {
  const { min: least, max: most } = DEFAULTS.delay
  const must = 'a whole number of milliseconds, or the range of the delay layer with min and max'
  const range = z
    .strictObject(
      {
        min: setting(delay.min, 'The least of that range', { default: least }),
        max: setting(delay.max, 'The most of it', { default: most }),
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
