import type { Response } from 'express'
import { constantTimeEqual } from '../../http/constant-time.ts'
import { isComparable, isHash, matchesHash } from './bcrypt.ts'

/** The cost of a bcrypt hash: with each step up, a comparison takes twice as long. Undefined if it is not a hash. */
export function costOf(stored: unknown): number | undefined {
  return typeof stored === 'string' && isComparable(stored) ? Number(stored.slice(4, 6)) : undefined
}

export function highestCost(passwords: Iterable<unknown>): number | undefined {
  let highest: number | undefined
  for (const stored of passwords) {
    const cost = costOf(stored)
    if (cost !== undefined && cost > (highest ?? 0)) highest = cost
  }
  return highest
}

function decoyOf(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$D.QaYL5gQaIDq59YJ5yHC.r18FDPbCCdi6q17RQ1uVWPEZbp/4rFq`
}

/**
 * Whether it is the stored password, plain or a hash. Takes as long as the slowest hash of any user, of this `cost`.
 * @param stored empty if there is no such user: nothing matches it, since sent passwords are not empty
 */
export async function isPassword(
  password: string,
  stored: string,
  isWanted: () => boolean,
  cost?: number,
): Promise<boolean> {
  const own = costOf(stored)
  const hash = own === undefined ? cost !== undefined && decoyOf(cost) : stored
  // Together with one of the lower cost, these take as long as one of the higher: 2^4 + 2^4 + 2^5 is 2^6.
  const missing = own === undefined || cost === undefined ? 0 : Math.max(0, cost - own)
  const padding = Array.from({ length: missing }, (_, at) => decoyOf((own ?? 0) + at))
  const isOfHash = hash && (await matchesHash(password, hash, isWanted, padding))
  const isPlain = constantTimeEqual(password, stored)
  return isHash(stored) ? own !== undefined && isOfHash === true : isPlain
}

export const WRONG_PASSWORD = 'Email or password is wrong.'

/** The user, if it is their password. Without a user, it takes as long. */
export async function authenticate<User extends { readonly password: unknown }>(
  res: Response,
  user: User | undefined,
  password: string,
  cost: number | undefined,
): Promise<User | undefined> {
  const stored = String(user?.password ?? '')
  return (await isPassword(password, stored, () => !res.destroyed, cost)) ? user : undefined
}
