import { describe, expect, it } from 'vitest'
import { ConfigError } from '../../src/core/kernel/catalogue/error-classes.ts'
import { mergeSettings, parseSettings, resolveConfig } from '../../src/features/settings.ts'

/** The message of the fault, which has to be one line of a ConfigError. */
function faultOf(raw: unknown): string {
  try {
    resolveConfig(raw)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    const { message } = error as ConfigError
    expect(message).not.toContain('\n')
    return message
  }
  throw new Error('no fault was found')
}

describe('resolveConfig', () => {
  it('fills in the defaults', () => {
    expect(resolveConfig({})).toEqual({
      persist: true,
      port: 3000,
      host: 'localhost',
      watch: false,
      quiet: false,
      noCors: false,
      noFaults: false,
      noGzip: false,
      readOnly: false,
      delay: 0,
      middlewares: [],
      id: 'id',
      foreignKeySuffix: 'Id',
      bodyParser: true,
      cascade: false,
      upsert: false,
      strict: false,
      logicTimeout: 30_000,
      https: false,
      layers: {},
    })
  })

  it('is frozen through and through', () => {
    const config = resolveConfig({ middlewares: ['cors'], rateLimit: { limit: 5 } })
    expect(Object.isFrozen(config)).toBe(true)
    expect(Object.isFrozen(config.middlewares)).toBe(true)
    expect(Object.isFrozen(config.layers.rateLimit)).toBe(true)
  })

  it('keeps a default if undefined is given', () => {
    expect(resolveConfig({ port: undefined, host: undefined })).toMatchObject({
      port: 3000,
      host: 'localhost',
    })
  })

  it.each([
    ['no-cors', 'noCors', true],
    ['no-gzip', 'noGzip', true],
    ['read-only', 'readOnly', true],
    ['foreign-key-suffix', 'foreignKeySuffix', '_id'],
    ['body-parser', 'bodyParser', false],
  ])('reads %s and %s alike', (kebab, camel, value) => {
    expect(resolveConfig({ [kebab]: value })).toMatchObject({ [camel]: value })
    expect(resolveConfig({ [camel]: value })).toMatchObject({ [camel]: value })
  })

  it.each([
    ['cors', { cors: { 'allowed-headers': ['Accept'] } }, { cors: { allowedHeaders: ['Accept'] } }],
    ['delay', { delay: { min: 1, max: 2 } }, { delay: { min: 1, max: 2 } }],
    ['logger', { logger: {} }, { logger: {} }],
    [
      'api-key',
      { 'api-key': { keys: { 'my-client-key': ['read'] }, 'public-routes': ['/x'] } },
      { apiKey: { keys: { 'my-client-key': ['read'] }, publicRoutes: ['/x'] } },
    ],
    ['bearer', { bearer: { token: 't' } }, { bearer: { token: 't' } }],
    [
      'jwt',
      { jwt: { users: [{ email: 'a@b.c', password: 'p', 'odd-key': 1 }], 'expires-in': '2h' } },
      { jwt: { users: [{ email: 'a@b.c', password: 'p', 'odd-key': 1 }], expiresIn: '2h' } },
    ],
    ['rate-limit', { 'rate-limit': { limit: 3, 'window-ms': 9 } }, { rateLimit: { limit: 3, windowMs: 9 } }],
  ])('keeps the options of the layer %s, whose data it does not rename', (_, raw, layers) => {
    expect(resolveConfig(raw).layers).toEqual(layers)
  })

  it('tells a delay for all requests from the range of the delay layer', () => {
    expect(resolveConfig({ delay: 500 })).toMatchObject({ delay: 500, layers: {} })
    expect(resolveConfig({ delay: { min: 5 } })).toMatchObject({ delay: 0, layers: { delay: { min: 5 } } })
  })

  it('waits only once if the delay layer is listed and a fixed delay is set', () => {
    expect(resolveConfig({ delay: 500, middlewares: ['delay'] })).toMatchObject({
      delay: 0,
      layers: { delay: { min: 500, max: 500 } },
    })
  })

  it.each([
    ['public', { variant: 'public' }],
    ['private', { variant: 'private' }],
    [{}, { variant: 'public' }],
    [{ key: 'my-hosted-key' }, { variant: 'private', key: 'my-hosted-key' }],
    [
      { variant: 'public', key: 'my-hosted-key' },
      { variant: 'public', key: 'my-hosted-key' },
    ],
  ])('understands hosted: %j', (hosted, expected) => {
    expect(resolveConfig({ hosted }).hosted).toEqual(expected)
  })

  it('accepts a single middleware without a list', () => {
    expect(resolveConfig({ middlewares: './a.js' }).middlewares).toEqual(['./a.js'])
  })

  it('turns HTTPS on if a certificate is named, unless told otherwise', () => {
    const ssl = { cert: 'c.pem', key: 'k.pem' }
    expect(resolveConfig({ ssl }).https).toBe(true)
    expect(resolveConfig({ ssl, https: false }).https).toBe(false)
  })

  it('allows the $schema that editors need', () => {
    expect(resolveConfig({ $schema: './x.json' })).not.toHaveProperty('$schema')
  })
})

describe('a fault', () => {
  it.each([
    [
      { port: '3000' },
      '"port" must be a whole number from 0 to 65535, not the string "3000". Write "port": 3000 without quotes.',
    ],
    [
      { port: 70_000 },
      '"port" must be a whole number from 0 to 65535, not 70000. For example: "port": 3000.',
    ],
    [{ port: -1 }, '"port" must be a whole number from 0 to 65535, not -1. For example: "port": 3000.'],
    [{ port: 1.5 }, '"port" must be a whole number from 0 to 65535, not 1.5. For example: "port": 3000.'],
    [{ port: null }, '"port" must be a whole number from 0 to 65535, not null. For example: "port": 3000.'],
    [
      { watch: 'true' },
      '"watch" must be true or false, not the string "true". Write "watch": true without quotes.',
    ],
    [{ 'no-cors': 1 }, '"no-cors" must be true or false, not 1. For example: "noCors": true.'],
    [
      { host: '' },
      '"host" must be a host name or address, not an empty string. For example: "host": "0.0.0.0".',
    ],
    [{ ssl: true }, '"ssl" must be an object with cert and key, not true. Write "https": true instead.'],
    [{ cors: false }, '"cors" must be an object, not false. Write "noCors": true instead.'],
    [
      { middlewares: [1] },
      'entry 1 of "middlewares" must be a built-in layer or the path of a file, not 1. For example: "middlewares": ["cors","logger","./my-middleware.js"].',
    ],
    [
      { middlewares: ['cors', ''] },
      'entry 2 of "middlewares" must be a built-in layer or the path of a file, not an empty string. For example: "middlewares": ["cors","logger","./my-middleware.js"].',
    ],
    [
      { middlewares: 5 },
      '"middlewares" must be a list of built-in layers and middleware files, not 5. For example: "middlewares": ["cors","logger","./my-middleware.js"].',
    ],
    [
      { delay: { min: 500, max: 100 } },
      '"delay" must be a range whose min (200 by default) is not above its max (1499 by default).',
    ],
    [
      { delay: { min: 'x' } },
      '"delay.min" must be a whole number of milliseconds, not the string "x". For example: "delay": 500.',
    ],
    [
      { hosted: { variant: 'foo' } },
      '"hosted.variant" must be "public" or "private", not the string "foo". For example: "hosted": "public".',
    ],
    [
      { 'rate-limit': { 'window-ms': 'x' } },
      '"rate-limit.window-ms" must be a whole number from 1 to 2147483647, not the string "x". For example: "rateLimit": {"limit":10,"windowMs":60000}.',
    ],
    [
      { bearer: { token: 'my token' } },
      '"bearer.token" must be a string of visible ASCII characters without spaces. For example: "bearer": {"token":"mock-bearer-token"}.',
    ],
    [
      { apiKey: { publicRoutes: ['x/'] } },
      'entry 1 of "apiKey.publicRoutes" must be a plain path such as "/public/products" (letters, digits, ".", "_", "~" and "-"; no "*", no "/" at the end), not the string "x/". Correct or remove it.',
    ],
    [
      { jwt: { users: [] } },
      '"jwt.users" must be a list of at least one object with email and password (else nobody could log in; or leave it out), not an empty list. For example: "jwt": {"users":[{"email":"ada@example.com","password":"secret"}],"expiresIn":"1h"}.',
    ],
    [{ prot: 1 }, 'there is no setting "prot". Did you mean "port"?'],
    [{ nocors: true }, 'there is no setting "nocors". Did you mean "noCors"?'],
    [{ api_key: {} }, 'there is no setting "api_key". Did you mean "apiKey"?'],
    [{ ssl: { certt: 'x' } }, 'there is no setting "ssl.certt". Did you mean "ssl.cert"?'],
    [
      { ssl: { 'passphrase-file': 'x' } },
      'there is no setting "ssl.passphrase-file". Known here: cert, key.',
    ],
    [
      { faults: { rules: [{ status: 503, match: { paht: '/' } }] } },
      'there is no setting "faults.rules.0.match.paht". Did you mean "faults.rules.0.match.path"?',
    ],
    [
      { resources: { users: { access: { raed: 'owner' } } } },
      'there is no setting "resources.users.access.raed". Did you mean "resources.users.access.read"?',
    ],
    [{ logger: { level: 1 } }, 'there is no setting "logger.level". Remove it.'],
    [
      JSON.parse('{"__proto__":{"port":1}}'),
      /^there is no setting "__proto__"\. Known here: source, port, host, /,
    ],
    [{ 'no-cors': true, noCors: true }, '"no-cors" and "noCors" are the same setting. Keep one of them.'],
    [[], 'the settings must be an object of settings, not an empty list.'],
    [null, 'the settings must be an object of settings, not null.'],
    [
      { ssl: { cert: 'c.pem' } },
      '"ssl.cert" needs "ssl.key" as well. Set both (flags --cert and --key), or neither for a self-signed certificate.',
    ],
    [{ reads: 'near' }, 'the setting "reads" is gone: reads from a database are always current. Remove it.'],
    [
      { sessions: { bytes: 1 } },
      'the setting "sessions.bytes" is gone: sessions are limited by max and idleMs. Remove it.',
    ],
  ])('in %j says what is wrong and what to do', (raw, expected) => {
    if (expected instanceof RegExp) expect(faultOf(raw)).toMatch(expected)
    else expect(faultOf(raw)).toBe(expected)
  })

  it.each([[{ delay: -1 }], [{ delay: 'slow' }], [{ delay: [] }]])('in %j names the delay', (raw) => {
    expect(faultOf(raw)).toMatch(/^"delay" must be a whole number of milliseconds, or the range/)
  })

  it.each([
    [{ jwt: { secret: 123_454_321 } }],
    [{ bearer: { token: ['123454321'] } }],
    [{ apiKey: { keys: { 'client-123454321': ['reed'] } } }],
    [{ apiKey: { keys: { 'client-123454321!': ['read'] } } }],
    [{ jwt: { users: [{ email: 'a@b.c', password: [123_454_321] }] } }],
    [{ hosted: { key: 123_454_321 } }],
    [{ hosted: '123454321' }],
  ])('in %j does not reveal the secret', (raw) => {
    expect(faultOf(raw)).not.toContain('123454321')
  })
})

describe('mergeSettings', () => {
  it('lets the second win, key by key within ssl and hosted', () => {
    const file = parseSettings({ port: 1, host: 'h', ssl: { key: 'k' }, hosted: { key: 'my-hosted-key' } })
    const flags = parseSettings({ port: 2, ssl: { cert: 'c' }, hosted: 'private' })
    expect(mergeSettings(file, flags)).toEqual({
      port: 2,
      host: 'h',
      ssl: { cert: 'c', key: 'k' },
      hosted: { variant: 'private', key: 'my-hosted-key' },
    })
  })
})
