import type { RequestHandler } from 'express'
import * as z from 'zod/mini'
import type { Endpoint } from '../kernel/catalogue/endpoint.ts'
import { ConfigError } from '../kernel/catalogue/error-classes.ts'
import type { RewriteUrl } from '../kernel/http/request-url.ts'
import { ACCOUNT_ENDPOINTS, JWT_ENDPOINTS } from './accounts/endpoints.ts'
import type { AccountsNeeds } from './accounts.ts'
import type { JwtOptions } from './jwt.ts'
import { EXAMPLES, LIFETIME, OPTION_TYPES, SECRET, stringType } from './parts/option-types.ts'
import { DEFAULTS, type Log } from './parts/options.ts'
import { type Defined, options, setting } from './parts/setting.ts'
import { type SharedSecret, signing } from './parts/signing.ts'

/** Services that layers are built with. */
export interface LayerNeeds {
  readonly log: Log
  readonly quiet: boolean
  readonly rewrite: RewriteUrl
  readonly findUsers: NonNullable<JwtOptions['findUsers']>
  /** The secret that servers of the same data share; undefined if the server is the only one. */
  readonly shared: SharedSecret | undefined
  /** Absent where no feature has users. */
  readonly accounts?: AccountsNeeds
}

/** A built-in layer: `middlewares`, the config's schema, `GET /__service` and docs/layers.md have it from here. */
export interface Layer<Key extends string = string, Options extends z.ZodMiniType = z.ZodMiniType> {
  /** The config key of its options. */
  readonly key: Key
  /** A sentence for the docs. */
  readonly about: string
  /** Refuses requests: browsers must be able to read that, so it belongs behind `cors` and the log. */
  readonly isGuard?: boolean
  /** Treats equal requests alike, or only watches: a response may be sent again without it. */
  readonly isRepeatable?: boolean
  /** A request header that clients must send, and browsers only if CORS allows them to. */
  readonly header?: string
  /** The endpoints that it serves, for documents. */
  readonly endpoints?: readonly Endpoint[]
  readonly options: Options
  /** Settings for `GET /__service`, without secrets. */
  describe(options: object): Readonly<Record<string, unknown>>
  /** Imports the layer: the dependencies of some take longer to load than everything else. */
  build(options: object, needs: LayerNeeds): Promise<RequestHandler>
}

type OptionsOf<Schema extends z.ZodMiniType> = Defined<NonNullable<z.output<Schema>>>

interface Definition<Key extends string, Options extends z.ZodMiniType>
  extends Omit<Layer<Key, Options>, 'describe' | 'build'> {
  readonly describe?: (options: OptionsOf<Options>) => Readonly<Record<string, unknown>>
  readonly build: (options: OptionsOf<Options>, needs: LayerNeeds) => Promise<RequestHandler>
}

const { cors, delay, apiKey, bearer, jwt, rateLimit } = OPTION_TYPES

/** Completes the sentence `"delay" must be …`: the setting takes a number, too. */
export const DELAY = 'a whole number of milliseconds, or the range of the delay layer with min and max'

export const LAYERS = {
  cors: layer({
    key: 'cors',
    about: 'sends fixed cross-origin headers',
    isRepeatable: true,
    options: optionsOf('cors', EXAMPLES.cors, {
      allowedHeaders: setting(cors.allowedHeaders, 'Request headers that pages may send', {
        without: 'five',
      }),
    }),
    build: async (options, { log }) => (await import('./cors.ts')).cors({ ...options, log }),
  }),
  delay: layer({
    key: 'delay',
    about: 'waits for a random time',
    options: delayRange(),
    describe: (options) => ({ ...DEFAULTS.delay, ...options }),
    build: async (options) => (await import('./delay.ts')).delay(options),
  }),
  logger: layer({
    key: 'logger',
    about: 'logs a detailed line per request',
    isRepeatable: true,
    options: optionsOf('logger', {}, {}),
    build: async (_options, { quiet, log }) =>
      quiet ? passOn : (await import('./logger.ts')).logger({ print: log }),
  }),
  'rate-limit': layer({
    key: 'rateLimit',
    about: 'limits requests per minute',
    isGuard: true,
    options: optionsOf('rate-limit', EXAMPLES.rateLimit, {
      limit: setting(rateLimit.limit, 'Requests per window', { default: DEFAULTS.rateLimit.limit }),
      windowMs: setting(rateLimit.windowMs, 'Length of the window in milliseconds', {
        default: DEFAULTS.rateLimit.windowMs,
      }),
    }),
    describe: (options) => ({ ...DEFAULTS.rateLimit, ...options }),
    build: async (options, { rewrite }) =>
      (await import('./rate-limit.ts')).rateLimit({ ...options, rewrite }),
  }),
  'api-key': layer({
    key: 'apiKey',
    about: 'requires a known `X-API-KEY`',
    isGuard: true,
    header: 'X-API-KEY',
    options: optionsOf('api-key', EXAMPLES.apiKey, {
      keys: setting(apiKey.keys, 'Each key with its list of `"read"`, `"write"`', { without: 'three keys' }),
      publicRoutes: setting(apiKey.publicRoutes, 'Paths that need no key', { without: 'three' }),
    }),
    describe: ({ keys, publicRoutes = DEFAULTS.apiKey.publicRoutes }) => ({
      header: 'X-API-KEY',
      keys: keys === undefined ? 'three examples' : Object.keys(keys).length,
      publicRoutes,
    }),
    build: async (options, { log }) => (await import('./api-key.ts')).apiKey({ ...options, log }),
  }),
  accounts: layer({
    key: 'accounts',
    about: 'sign-up, login, refresh tokens, roles and owners',
    isGuard: true,
    header: 'Authorization',
    endpoints: ACCOUNT_ENDPOINTS,
    options: optionsOf(
      'accounts',
      { accessFor: '15m', refreshFor: '7d', roles: ['user', 'admin'] },
      accountSettings(),
    ),
    describe({ secret: _, ...settings }) {
      return { login: 'POST /login', register: 'POST /register', ...DEFAULTS.accounts, ...settings }
    },
    async build(options, { accounts: needs, shared }) {
      const { accounts } = await import('./accounts.ts')
      if (!needs) throw new ConfigError('"middlewares" lists "accounts", which this server is without.')
      return signing(shared, options.secret, (own) => accounts({ ...options, ...own }, needs))
    },
  }),
  bearer: layer({
    key: 'bearer',
    about: 'requires one fixed token',
    isGuard: true,
    header: 'Authorization',
    options: optionsOf('bearer', EXAMPLES.bearer, {
      token: setting(bearer.token, 'The token', { without: '`mock-bearer-token`' }),
      publicRoutes: setting(bearer.publicRoutes, 'Paths that need no token', { without: 'two' }),
    }),
    describe: ({ token, publicRoutes = DEFAULTS.bearer.publicRoutes }) => ({
      token: token === undefined ? 'the example' : 'your own',
      publicRoutes,
    }),
    build: async (options) => (await import('./bearer.ts')).bearer(options),
  }),
  jwt: layer({
    key: 'jwt',
    about: 'json-server style: a login, and a token for writes',
    isGuard: true,
    header: 'Authorization',
    endpoints: JWT_ENDPOINTS,
    options: optionsOf('jwt', EXAMPLES.jwt, {
      users: setting(jwt.users, 'Who may log in: `email`, `password`, and any other field', {
        without: 'see [jwt](layers.md#jwt)',
      }),
      secret: setting(SECRET, 'Signs the tokens', { without: 'see [jwt](layers.md#jwt)' }),
      expiresIn: setting(LIFETIME, 'Lifetime of a token: seconds, or a string such as `"1h"`', {
        default: DEFAULTS.jwt.expiresIn,
      }),
    }),
    describe: ({ users, expiresIn = DEFAULTS.jwt.expiresIn }) => ({
      login: 'POST /login',
      users: users === undefined ? 'the users collection, or anybody' : users.length,
      expiresIn,
    }),
    async build(options, { shared, ...needs }) {
      const { jwt } = await import('./jwt.ts')
      const { log, findUsers, rewrite } = needs
      return signing(shared, options.secret, (own) => jwt({ ...options, ...own, log, findUsers, rewrite }))
    },
  }),
}

export type LayerName = keyof typeof LAYERS

/** Options of layers by their key in the config. */
export type LayerOptions = {
  readonly [Name in LayerName as (typeof LAYERS)[Name]['key']]?: OptionsOf<(typeof LAYERS)[Name]['options']>
}

export const LAYER_NAMES = Object.keys(LAYERS) as readonly LayerName[]

type Settings = {
  [Name in Exclude<LayerName, 'delay'> as (typeof LAYERS)[Name]['key']]: (typeof LAYERS)[Name]['options']
}

/** The options of each layer, under its key in the config. `delay` is a setting with a meaning of its own. */
export const LAYER_SETTINGS = Object.fromEntries(
  Object.values<Layer>(LAYERS).flatMap(({ key, options }) => (key === 'delay' ? [] : [[key, options]])),
) as Settings

export function isLayer(entry: string): entry is LayerName {
  return Object.hasOwn(LAYERS, entry)
}

/** Whether an entry of `middlewares` is a layer that refuses requests. */
export function isGuard(entry: string): boolean {
  return layerNamed(entry)?.isGuard === true
}

/** Whether an entry of `middlewares` is a layer that logs users in. */
export function hasLogins(entry: string): boolean {
  return layerNamed(entry)?.endpoints?.some(({ kind }) => kind === 'login') === true
}

export function layerNamed(entry: string): Layer | undefined {
  return isLayer(entry) ? LAYERS[entry] : undefined
}

/** Options reach `describe` and `build` as `options` has checked them. */
function layer<Key extends string, Options extends z.ZodMiniType>(
  definition: Definition<Key, Options>,
): Layer<Key, Options> {
  const { describe = () => ({}), build, ...rest } = definition
  return {
    ...rest,
    describe: (options) => describe(options as OptionsOf<Options>),
    build: (options, needs) => build(options as OptionsOf<Options>, needs),
  }
}

function optionsOf<T extends z.core.$ZodShape>(name: string, example: object, shape: T) {
  const none = Object.keys(shape).length === 0 ? ' (none yet)' : ''
  return setting(options(shape), `Options of [${name}](layers.md#${name})${none}`, { examples: [example] })
}

function delayRange() {
  const { min: least, max: most } = DEFAULTS.delay
  return z
    .strictObject(
      {
        min: setting(delay.min, 'The least of that range', { default: least }),
        max: setting(delay.max, 'The most of it', { default: most }),
      },
      DELAY,
    )
    .check(
      z.refine(
        ({ min = least, max = most }) => min <= max,
        `a range whose min (${least} by default) is not above its max (${most} by default)`,
      ),
    )
}

function accountSettings() {
  const { collection, accessFor, refreshFor, cookies, persona, roles } = DEFAULTS.accounts
  const onOff = z.boolean('true or false')
  const roleList = 'a list of at least one role'
  return {
    collection: setting(stringType('the name of a collection'), 'The collection that holds the users', {
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
      z.array(stringType('the name of a role'), roleList).check(z.minLength(1, roleList)),
      'The roles of users; new ones have the first',
      { default: [...roles] },
    ),
    secret: setting(SECRET, 'Signs the tokens', { without: 'see [accounts](accounts.md#options)' }),
  }
}

const passOn: RequestHandler = (_req, _res, next) => next()
