import * as z from 'zod/mini'
import type { InEffect } from '../../config/config.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { Clock, readTime } from '../../core/kernel/util/clock.ts'
import { stringType } from '../../core/layers/parts/option-types.ts'
import { options, setting } from '../../core/layers/parts/setting.ts'
import { faultOptions } from '../fault-options.ts'

export const scenariosSettings = {
  scenarios: setting(
    scenarioRecord(),
    '[Scenarios](testing.md#scenarios): how a session may begin, by name',
    {
      without: 'none',
      hasNames: true,
      examples: [{ empty: { data: 'empty.json' }, late: { clock: '+30d' } }],
    },
  ),
  scenario: setting(
    stringType('the name of a scenario, or several, by comma'),
    'The [scenario](testing.md#scenarios) that the base data begins with; nothing is saved',
    { without: 'none', examples: ['empty'], flag: {} },
  ),
}

/** The settings of a feature in effect. */
export type ScenariosConfig = InEffect<z.output<z.ZodMiniObject<typeof scenariosSettings>>>

export type ScenarioSettings = NonNullable<ScenariosConfig['scenarios']>[string]

/** Sets a clock to a time, or turns it by a duration. Throws a `ClockError`. */
export function turnClock(clock: Clock, by: string): void {
  const time = attempt(() => readTime(by))
  if (time === undefined) clock.advance(by)
  else clock.set({ now: time })
}

function scenarioRecord() {
  const name = '1 to 24 letters, digits, underscores and hyphens'
  const time = 'a duration such as "+30d", or a time such as "2027-01-01T00:00:00Z"'
  const isTime = (by: string) => attempt(() => turnClock(new Clock(), by) ?? true) === true
  return z.record(
    z.string().check(z.regex(/^[\w-]{1,24}$/, `made of ${name}`)),
    options({
      data: setting(
        stringType('the path of a data file'),
        'The resources in this file, in place of those of the same names',
      ),
      clock: setting(
        stringType(time).check(z.refine(isTime, time)),
        'How far the clock is turned, or the time that it shows',
      ),
      faults: setting(faultOptions(), 'The [rules](failures.md#rules), in place of those of `faults`'),
      user: setting(
        stringType('an email address or a username'),
        'The user that requests without credentials act as; needs `accounts.persona`',
      ),
    }),
    'an object of scenarios, by name',
  )
}
