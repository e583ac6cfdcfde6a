import { constantTimeEqual } from '../../http/constant-time.ts'
import { costOf, decoyOf, paddingOf } from './hash-cost.ts'
import { isHash, matchesHash } from './password-check.ts'

/**
 * Whether a password is the one that is stored, plain or as a hash.
 * @param stored empty if there is no such user: nothing matches it, since nobody can send an empty password
 * @param isWanted whether the client is still waiting
 * @param cost of the slowest hash of any user: it takes as long as with that one, whatever is stored. Without it, it takes
 * as long as it takes.
 */
export async function isPassword(
  password: string,
  stored: string,
  isWanted: () => boolean,
  cost?: number,
): Promise<boolean> {
  const own = costOf(stored)
  const hash = own === undefined ? cost !== undefined && decoyOf(cost) : stored
  const padding = own === undefined || cost === undefined ? [] : paddingOf(own, cost)
  const isOfHash = hash && (await matchesHash(password, hash, isWanted, padding))
  const isPlain = constantTimeEqual(password, stored)
  return isHash(stored) ? own !== undefined && isOfHash === true : isPlain
}
