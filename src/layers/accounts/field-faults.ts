import { StorageError } from '../../catalogue/error-classes.ts'

const SHORTEST = 8
/** bcrypt ignores what comes after. */
const MOST_BYTES = 72

/** What is wrong with a new password, as the end of a sentence; undefined if nothing. */
export function passwordFault(password: unknown): string | undefined {
  if (password === undefined) return 'is required'
  if (typeof password !== 'string') return 'must be a string'
  if ([...password].length < SHORTEST) return `must have at least ${SHORTEST} characters`
  if (Buffer.byteLength(password) > MOST_BYTES) return `must have at most ${MOST_BYTES} bytes`
  return undefined
}

export function emailFault(email: unknown): string | undefined {
  if (email === undefined || email === '') return 'is required'
  if (typeof email !== 'string') return 'must be a string'
  return EMAIL.test(email) ? undefined : 'must be an email address'
}

const EMAIL = /^[^\s@]{1,200}@[^\s@]{1,200}$/

/** Throws if anything is wrong with the fields that a client sent. */
export function refuseFields(faults: Readonly<Record<string, string | undefined>>): void {
  const wrong = Object.entries(faults).filter((fault): fault is [string, string] => fault[1] !== undefined)
  if (wrong.length === 0) return
  const sentences = wrong.map(([name, fault]) => `${name} ${fault}`).join('; ')
  throw new StorageError('VALIDATION_FAILED', `${sentences}. Nothing was changed.`, {
    errors: Object.fromEntries(wrong),
  })
}
