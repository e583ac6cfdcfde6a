import * as z from 'zod/mini'
import { ConfigError } from '../../catalogue/error-classes.ts'
import { isObject } from '../../json/values.ts'
import { LONGEST_WAIT } from './hold-response.ts'

/** A non-empty string. `must` completes the sentence `"key" must be …`, here and below. */
export function text(must: string) {
  return z.string(must).check(z.minLength(1, must))
}

export function texts(must: string) {
  return z.array(text(must), must)
}

export function listOf(form: RegExp, must: string, mustEach: string) {
  return z.array(z.string(mustEach).check(z.regex(form, mustEach)), must)
}

export function whole(must: string, min: number, max = Number.MAX_SAFE_INTEGER) {
  return z.int(must).check(z.minimum(min, must), z.maximum(max, must))
}

export const API_KEY = /^[a-zA-Z0-9-]{10,50}$/
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
const PLAIN_ROUTE = /^(?:\/|(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+)$/
const VISIBLE = /^[!-~]+$/

const wait = whole('a whole number of milliseconds', 0, LONGEST_WAIT)
const count = whole(`a whole number from 1 to ${2 ** 31 - 1}`, 1, 2 ** 31 - 1)
const publicRoutes = listOf(
  PLAIN_ROUTE,
  'a list of paths',
  'a plain path such as "/public/products" (letters, digits, ".", "_", "~" and "-"; no "*", no "/" at the end)',
)
const token = 'a string of visible ASCII characters without spaces'
const seconds = 'a positive number of seconds, or a string such as "1h"'
/** No config has one. */
const call = z.custom<never>((value) => typeof value === 'function', 'a function')

export const SECRET = text('a non-empty string, which signs the tokens')
export const LIFETIME = z.union([z.number(seconds).check(z.positive(seconds)), text(seconds)], seconds)

/** What the options of layers may be, wherever they come from. */
export const OPTION_TYPES = {
  cors: { allowedHeaders: listOf(HEADER_NAME, 'a list of header names', 'the name of a header'), log: call },
  delay: { min: wait, max: wait, random: call, clockOf: call },
  logger: { print: call, clockOf: call },
  devLog: { print: call },
  bodyParser: { log: call, isLast: z.boolean('true or false'), takesAny: z.boolean('true or false') },
  apiKey: { keys: apiKeys(), publicRoutes, log: call, clockOf: call },
  bearer: { token: z.string(token).check(z.regex(VISIBLE, token)), publicRoutes },
  jwt: {
    ...{ users: users(), findUsers: call, secret: SECRET, expiresIn: LIFETIME },
    ...{ log: call, clockOf: call, sessionIdOf: call, rewrite: call },
  },
  rateLimit: { limit: count, windowMs: count, clockOf: call, loginClock: call },
}

function apiKeys() {
  const must = 'an object that maps at least one key to a list of permissions'
  return z
    .record(
      z.string().check(z.regex(API_KEY, 'made of 10 to 50 letters, digits and dashes')),
      z.array(z.enum(['read', 'write'], '"read" or "write"'), 'a list of permissions, "read" and "write"'),
      must,
    )
    .check(z.refine((keys) => Object.keys(keys).length > 0, must))
}

function users() {
  const must = 'a list of at least one object with email and password'
  const user = { email: text('an email address'), password: text('a password, plain or bcrypt') }
  return z.array(z.looseObject(user, 'an object with email and password'), must).check(z.minLength(1, must))
}

/** Checks what a program passes to a layer. Its values are not in the message: they may be secrets, and end up in logs. */
export function checkOptions(layer: keyof typeof OPTION_TYPES, options: object): void {
  const types: Readonly<Record<string, z.ZodMiniType>> = OPTION_TYPES[layer]
  if (!isObject(options)) throw new ConfigError(`${layer} must be an object of options`)
  for (const [name, value] of Object.entries(options)) {
    const type = Object.hasOwn(types, name) ? types[name] : undefined
    if (!type) {
      const known = Object.keys(types).join(', ')
      throw new ConfigError(`${layer}.${name} is not an option; the options are: ${known}`)
    }
    const [issue] = (value !== undefined && type.safeParse(value).error?.issues) || []
    if (!issue) continue
    const must = issue.code === 'invalid_key' ? issue.issues[0]?.message : issue.message
    // Positions and fields, but not API keys.
    const place = typeof issue.path[0] === 'string' ? ': each entry' : ['', ...issue.path].join('.')
    throw new ConfigError(`${layer}.${name}${place} must be ${must}`)
  }
}
