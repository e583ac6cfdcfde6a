import * as z from 'zod/mini'
import { integerType } from '../../core/layers/parts/option-types.ts'
import { setting } from '../../core/layers/parts/setting.ts'
import { LONGEST_WAIT } from '../../core/layers/parts/wait.ts'

export const SESSION_LIMITS = { max: 1000, idleMs: 30 * 60_000 }

export const sessionsSettings = {
  sessions: setting(
    sessionOptions(),
    'Limits of [sessions](testing.md#sessions-one-server-many-tests); `false`: there are none',
    { examples: [{ max: 100 }, false] },
  ),
}

function sessionOptions() {
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
