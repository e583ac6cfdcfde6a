import * as z from 'zod'
import { LONGEST_WAIT, setting, text, whole } from './catalogue.ts'

export interface HostedOptions {
  variant?: 'public' | 'private' | undefined
  key?: string | undefined
}

export function hostedOptions() {
  const must = '"public", "private" or an object with variant and key'
  const variant = z.enum(['public', 'private'], must)
  const options = z.strictObject(
    {
      variant: setting(z.enum(['public', 'private'], '"public" or "private"'), 'Which of them', {
        without: '`public`, or `private` with a key',
      }),
      key: setting(text('the key that clients send'), 'The key that clients send', {
        without: '`hosted-private-key-001`',
      }),
    },
    must,
  )
  return z.union([variant.transform((word): HostedOptions => ({ variant: word })), options], must)
}

export function sessionOptions() {
  const must = 'false, or an object with max, idleMs and bytes'
  const count = (most: number) => whole(`a whole number from 1 to ${most}`, 1, most)
  const limits = z.strictObject(
    {
      max: setting(count(100_000), 'How many sessions there may be', { default: 1000 }),
      idleMs: setting(count(LONGEST_WAIT), 'Milliseconds without a request until a session ends', {
        default: 1_800_000,
      }),
      bytes: setting(
        count(Number.MAX_SAFE_INTEGER),
        'Memory for the rows that all sessions changed, their history and [fault rules](failures.md#rules)',
        { default: 268_435_456 },
      ),
    },
    must,
  )
  return z.union([z.literal(false, must), limits], must)
}
