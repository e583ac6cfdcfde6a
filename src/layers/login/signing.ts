import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import type { JwtPayload, SignOptions } from 'jsonwebtoken'
import { ConfigError } from '../../errors.ts'
import type { Log } from '../_guard.ts'

const require = createRequire(import.meta.url)

/** Loaded when first used: few starts need it. */
const library = (): typeof import('jsonwebtoken') => require('jsonwebtoken')

/** A token that says these things for so many seconds. */
export function signToken(claims: object, secret: KeyObject, seconds: number): string {
  return library().sign(claims, secret, { algorithm: 'HS256', expiresIn: seconds })
}

/** What a token of ours says, or why it is not to be believed. */
export function readToken(token: string, secret: KeyObject): JwtPayload | 'expired' | 'forged' {
  const { verify, TokenExpiredError } = library()
  try {
    const claims = verify(token, secret, { algorithms: ['HS256'] })
    return typeof claims === 'string' ? 'forged' : claims
  } catch (error) {
    return error instanceof TokenExpiredError ? 'expired' : 'forged'
  }
}

/** The key that signs: from the options, else from the environment, else one that ends with the process. */
export function secretOf(option: unknown, log: Log): KeyObject {
  if (option !== undefined) return keyOf('jwt.secret', option)
  const variable = process.env.JWT_SECRET
  if (variable !== undefined) return keyOf('JWT_SECRET', variable)
  log('jwt: tokens are signed with a random secret and end with this process; set jwt.secret or JWT_SECRET')
  return createSecretKey(randomBytes(32))
}

/** A lifetime in whole seconds, from a number of them or from a text with a unit. */
export function lifetimeOf(option: unknown): number {
  const seconds = typeof option === 'string' ? readText(option) : option
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 1 && seconds <= CENTURY) {
    return seconds
  }
  throw new ConfigError(
    `jwt.expiresIn: ${JSON.stringify(option)} does not work; write whole seconds as a number (3600) ` +
      'or a text with a unit ("15m", "1h", "7d"), from 1 second to 100 years',
  )
}

const CENTURY = 100 * 366 * 24 * 3600

function keyOf(name: string, secret: unknown): KeyObject {
  if (typeof secret === 'string' && secret !== '') return createSecretKey(Buffer.from(secret))
  throw new ConfigError(`${name} must be a text that is not empty; leave it out for a random secret`)
}

/** A text without a unit would be milliseconds, which nobody means who writes "3600". */
function readText(text: string): number | undefined {
  if (!/[a-z]$/i.test(text)) return undefined
  try {
    // Asks jsonwebtoken how it reads the text. An iat of 0 would count as none.
    const probe = library().sign({ iat: 1 }, 'probe', {
      expiresIn: text as SignOptions['expiresIn'] & string,
    })
    const claims = library().decode(probe, { json: true })
    return claims?.exp === undefined ? undefined : claims.exp - 1
  } catch {
    return undefined
  }
}
