import * as z from 'zod'

const WHO = '"anyone", "signed-in", "owner", "nobody" or a role such as "role:admin"'
const ACCESS = 'an object with read, create, update and delete, or three digits such as 640 or "044"'

const who = z.string(WHO).regex(/^(?:anyone|signed-in|owner|nobody|role:.+)$/s, WHO)
const rule = z.union([who, z.array(who, `${WHO}, or a list of them`).min(1, `${WHO}, or a list of them`)], {
  error: `${WHO}, or a list of them`,
})

/** The digits of json-server-auth: for the owner, for users who are logged in, for anyone; 4 to read, 2 to write. */
const GUARD = /^[0246]{3}$/

export const accessSchema = z
  .union(
    [
      z.strictObject(
        {
          read: rule.optional().meta({ description: 'Who may read', default: 'anyone' }),
          create: rule.optional().meta({ description: 'Who may create', default: 'signed-in' }),
          update: rule.optional().meta({ description: 'Who may change', default: 'signed-in' }),
          delete: rule.optional().meta({ description: 'Who may delete', default: 'signed-in' }),
        },
        ACCESS,
      ),
      // As a number it cannot begin with 0: 64 could mean 064 or 640.
      z
        .number(ACCESS)
        .min(200, ACCESS)
        .max(666, ACCESS)
        .refine((number) => GUARD.test(String(number)), ACCESS),
      z.string(ACCESS).regex(GUARD, ACCESS),
    ],
    { error: ACCESS },
  )
  .meta({
    description:
      'Who may do what, with the layer accounts: an object, or a number as in json-server-auth (640: the owner may read and write, others who are logged in may read)',
  })

export type AccessSettings = z.output<typeof accessSchema>

export interface AccessRules {
  readonly read: readonly string[]
  readonly create: readonly string[]
  readonly update: readonly string[]
  readonly delete: readonly string[]
}

/** What settings say, with the defaults where they say nothing. */
export function accessRulesOf(settings: AccessSettings | undefined, defaults: AccessRules): AccessRules {
  if (settings === undefined) return defaults
  if (typeof settings !== 'object') return rulesOfNumber(String(settings))
  return {
    read: [settings.read ?? defaults.read].flat(),
    create: [settings.create ?? defaults.create].flat(),
    update: [settings.update ?? defaults.update].flat(),
    delete: [settings.delete ?? defaults.delete].flat(),
  }
}

const DIGITS = ['owner', 'signed-in', 'anyone'] as const

/** The widest that is allowed is the rule: who is logged in may read where anyone may. */
function rulesOfNumber(digits: string): AccessRules {
  const widest = (bit: number) => DIGITS.findLast((_, at) => (Number(digits[at]) & bit) === bit) ?? 'nobody'
  const [read, write] = [[widest(4)], [widest(2)]]
  return { read, create: write, update: write, delete: write }
}
