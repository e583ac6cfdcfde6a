import * as z from 'zod/mini'
import { ConfigError } from '../../kernel/catalogue/error-classes.ts'
import { isObject } from '../../kernel/json/values.ts'
import { LONGEST_WAIT } from './wait.ts'

/** A non-empty string. `must` completes the sentence `"key" must be …`, here and below. */
export function stringType(must: string) {
  return z.string(must).check(z.minLength(1, must))
}

export function stringListType(must: string) {
  return z.array(stringType(must), must)
}

export function listOf(form: RegExp, must: string, mustEach: string) {
  return z.array(z.string(mustEach).check(z.regex(form, mustEach)), must)
}

export function integerType(must: string, min: number, max = Number.MAX_SAFE_INTEGER) {
  return z.int(must).check(z.minimum(min, must), z.maximum(max, must))
}

export const API_KEY = /^[a-zA-Z0-9-]{10,50}$/
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
const PLAIN_ROUTE = /^(?:\/|(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+)$/
const VISIBLE = /^[!-~]+$/

const wait = integerType('a whole number of milliseconds', 0, LONGEST_WAIT)
const count = integerType(`a whole number from 1 to ${2 ** 31 - 1}`, 1, 2 ** 31 - 1)
const publicRoutes = listOf(
  PLAIN_ROUTE,
  'a list of paths such as "/health"',
  'a plain path such as "/public/products" (letters, digits, ".", "_", "~" and "-"; no "*", no "/" at the end)',
)
const token = 'a string of visible ASCII characters without spaces'
const seconds = 'a positive number of seconds, or a string with a unit ("15m", "1h", "7d")'
/** No config has one. */
const call = (that = '') => z.custom<never>((value) => typeof value === 'function', `a function${that}`)
const log = call(' that takes one line')
const print = call(' that takes lines')

export const SECRET = stringType('a non-empty string, which signs the tokens (random if left out)')
export const LIFETIME = z.union([z.number(seconds).check(z.positive(seconds)), stringType(seconds)], seconds)

/** Options as a config may have them, for messages. */
export const EXAMPLES = {
  cors: { allowedHeaders: ['Content-Type', 'Authorization'] },
  apiKey: { keys: { 'my-client-key-001': ['read', 'write'] } },
  bearer: { token: 'mock-bearer-token' },
  jwt: { users: [{ email: 'ada@example.com', password: 'secret' }], expiresIn: '1h' },
  rateLimit: { limit: 10, windowMs: 60_000 },
}

/** Types of the options of layers, wherever they come from. */
export const OPTION_TYPES = {
  cors: { allowedHeaders: listOf(HEADER_NAME, 'a list of header names', 'the name of a header'), log },
  delay: { min: wait, max: wait, random: call() },
  logger: { print },
  devLog: { print },
  bodyParser: { log, isLast: z.boolean('true or false'), takesAny: z.boolean('true or false') },
  apiKey: { keys: apiKeys(), publicRoutes, log },
  bearer: { token: z.string(token).check(z.regex(VISIBLE, token)), publicRoutes },
  jwt: {
    ...{ users: users(), findUsers: call(' that returns rows'), secret: SECRET, expiresIn: LIFETIME },
    ...{ log, rewrite: call() },
  },
  rateLimit: { limit: count, windowMs: count, rewrite: call() },
}

function apiKeys() {
  const must = 'an object that maps at least one key to a list of permissions'
  const example = JSON.stringify(EXAMPLES.apiKey.keys)
  const empty = `${must}: it is empty, so no key would pass. Add one, such as ${example}, or leave it out for the default keys`
  return z
    .record(
      z.string().check(z.regex(API_KEY, 'made of 10 to 50 letters, digits and dashes')),
      z.array(z.enum(['read', 'write'], '"read" or "write"'), 'a list of permissions, "read" and "write"'),
      must,
    )
    .check(z.refine((keys) => Object.keys(keys).length > 0, empty))
}

function users() {
  const must = 'a list of at least one object with email and password'
  const password = 'a password, plain or bcrypt'
  const user = {
    email: stringType('an email address'),
    password: z.union([stringType(password), z.number()], password),
  }
  return z
    .array(z.looseObject(user, 'an object with email and password'), must)
    .check(z.minLength(1, `${must} (else nobody could log in; or leave it out)`))
}

/** Checks what a program passes to a layer. */
export function checkOptions(layer: keyof typeof OPTION_TYPES, options: object): void {
  const types: Readonly<Record<string, z.ZodMiniType>> = OPTION_TYPES[layer]
  const known = Object.keys(types).join(', ')
  if (!isObject(options)) throw new ConfigError(`${layer} must be an object with any of: ${known}`)
  for (const [name, value] of Object.entries(options)) {
    const type = Object.hasOwn(types, name) ? types[name] : undefined
    if (!type) throw new ConfigError(`${layer}.${name} is not an option; the options are: ${known}`)
    const [issue] = (value !== undefined && type.safeParse(value).error?.issues) || []
    if (!issue) continue
    const example = Reflect.get(Object(Reflect.get(EXAMPLES, layer)), name)
    const remedy =
      example === undefined || issue.code === 'custom'
        ? ''
        : `. For example: ${JSON.stringify({ [name]: example })}`
    throw new ConfigError(`${layer}.${name}${describeEntry(name, value, issue)}${remedy}`)
  }
}

/** Names for entries of options whose values are never shown: messages end up in logs. */
const SECRETS: Readonly<Record<string, string>> = { keys: 'key', users: 'user', token: '', secret: '' }

/** `: key 2 must be …`, `: the password of user 2 must be …`, `: entry 2 must be …, not "x"` */
function describeEntry(option: string, value: unknown, { path, ...issue }: z.core.$ZodIssue): string {
  const [first, inner] = path
  const must = issue.code === 'invalid_key' ? issue.issues[0]?.message : issue.message
  const at = typeof first === 'string' ? Object.keys(Object(value)).indexOf(first) : Number(first)
  const field = option === 'keys' && issue.code !== 'invalid_key' ? 'permissions' : inner
  const noun = `${field === undefined ? '' : `the ${String(field)} of `}${SECRETS[option] ?? 'entry'}`
  const wrong: unknown = first === undefined ? value : Reflect.get(Object(value), first)
  const isShown = SECRETS[option] === undefined && typeof wrong !== 'object' && typeof wrong !== 'function'
  const shown = typeof wrong === 'string' ? JSON.stringify(wrong) : String(wrong)
  return `${first === undefined ? '' : `: ${noun} ${at + 1}`} must be ${must}${isShown ? `, not ${shown}` : ''}`
}
