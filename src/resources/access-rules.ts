import { ConfigError } from '../catalogue/error-classes.ts'
import type { Action } from '../storage/rules/rights.ts'
import type { AccessSettings, ResourcesSettings } from './resource-settings.ts'

/** Who may do what, as lists of `anyone`, `signed-in`, `owner`, `role:admin`, `via:ticketId` or `nobody`. */
export type AccessRules = Readonly<Record<Action, readonly string[]>>

const DEFAULTS: AccessRules = {
  read: ['anyone'],
  create: ['signed-in'],
  update: ['signed-in'],
  delete: ['signed-in'],
}

/** New users register. */
const OF_ACCOUNTS: AccessRules = {
  read: ['signed-in'],
  create: ['nobody'],
  update: ['owner'],
  delete: ['owner'],
}

export function accessRulesOf(settings: AccessSettings | undefined, isAccounts: boolean): AccessRules {
  const defaults = isAccounts ? OF_ACCOUNTS : DEFAULTS
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

/** The last digit that allows it is the rule: where anyone may read, users who are logged in may, too. */
function rulesOfNumber(digits: string): AccessRules {
  const widest = (bit: number) => DIGITS.findLast((_, at) => (Number(digits[at]) & bit) === bit) ?? 'nobody'
  const [read, write] = [[widest(4)], [widest(2)]]
  return { read, create: write, update: write, delete: write }
}

export function checkRoles(settings: ResourcesSettings, roles: readonly string[]): void {
  for (const [name, { access }] of Object.entries(settings)) {
    if (typeof access !== 'object') continue
    for (const [action, rule] of Object.entries(access)) {
      const unknown = [rule].flat().find((who) => who?.startsWith('role:') && !roles.includes(who.slice(5)))
      if (unknown === undefined) continue
      throw new ConfigError(
        `resources.${name}.access.${action}: there is no role "${unknown.slice(5)}". The roles are ${roles.join(', ')}: ` +
          'correct the name, or add it to accounts.roles.',
      )
    }
  }
}
