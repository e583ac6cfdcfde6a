import { constantTimeEqual } from '../../http/constant-time.ts'
import { isComparable, isHash, matchesHash } from './password-check.ts'

/**
 * Whether a password is the one that is stored, plain or as a hash.
 * @param stored empty if there is no such user: nothing matches it, since nobody can send an empty password
 * @param decoy a hash to compare with if there is none, or a broken one, so that it takes as long
 * @param isWanted whether the client is still waiting
 */
export async function isPassword(
  password: string,
  stored: string,
  decoy: string | undefined,
  isWanted: () => boolean,
): Promise<boolean> {
  const isOwn = isComparable(stored)
  const hash = isOwn ? stored : decoy
  const isOfHash = hash !== undefined && (await matchesHash(password, hash, isWanted))
  const isPlain = constantTimeEqual(password, stored)
  return isHash(stored) ? isOwn && isOfHash : isPlain
}
