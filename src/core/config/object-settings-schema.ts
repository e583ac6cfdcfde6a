import * as z from 'zod/mini'
import { integerType, stringType } from '../layers/parts/option-types.ts'
import { setting } from '../layers/parts/setting.ts'
import { LONGEST_WAIT } from '../layers/parts/wait.ts'

export function hostedOptions() {
  const must = '"public", "private" or an object with variant and key'
  const variant = z.enum(['public', 'private'], must)
  const options = z.strictObject(
    {
      variant: setting(z.enum(['public', 'private'], '"public" or "private"'), 'Which of them', {
        without: '`public`, or `private` with a key',
      }),
      key: setting(stringType('the key that clients send'), 'The key that clients send', {
        without: '`hosted-private-key-001`',
      }),
    },
    must,
  )
  return z.union(
    [
      z.pipe(
        variant,
        z.transform((word: 'public' | 'private'): z.output<typeof options> => ({ variant: word })),
      ),
      options,
    ],
    must,
  )
}

export const SESSION_LIMITS = { max: 1000, idleMs: 30 * 60_000 }

export function sessionOptions() {
  const must = 'false, or an object with max and idleMs'
  const count = (most: number) => integerType(`a whole number from 1 to ${most}`, 1, most)
  const limits = z.strictObject(
    {
      max: setting(count(100_000), 'How many sessions there may be', { default: SESSION_LIMITS.max }),
      idleMs: setting(count(LONGEST_WAIT), 'Milliseconds without a request until a session ends', {
        default: SESSION_LIMITS.idleMs,
      }),
    },
    must,
  )
  return z.union([z.literal(false, must), limits], must)
}
