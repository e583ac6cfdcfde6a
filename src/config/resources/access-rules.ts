import type { Catalog } from '../../core/engine/engine.ts'
import { idOf } from '../../core/engine/id-of.ts'
import { foreignKey, pluralOf } from '../../core/engine/relations/relations.ts'
import { type Action, actionOnParent, MOST_STEPS, type ParentKey } from '../../core/engine/rules/rights.ts'
import type { Naming } from '../../core/engine/types.ts'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import { nearestOf } from '../../core/kernel/util/find-nearest.ts'
import { isId } from './open-resources.ts'
import type { AccessSettings, ResourceSettings, ResourcesSettings } from './resource-settings.ts'

/** Who may do what, as lists of `anyone`, `signed-in`, `owner`, `role:admin`, `via:ticketId` or `nobody`. */
export type AccessRules = Readonly<Record<Action, readonly string[]>>

export function accessRulesOf(settings: AccessSettings | undefined, isAccounts: boolean): AccessRules {
  const defaults = isAccounts ? OF_ACCOUNTS : DEFAULTS
  if (settings === undefined) return defaults
  if (typeof settings !== 'object') return rulesOfNumber(String(settings))
  return byAction((action) => [settings[action] ?? defaults[action]].flat())
}

export function byAction<T>(make: (action: Action) => T): Readonly<Record<Action, T>> {
  return { read: make('read'), create: make('create'), update: make('update'), delete: make('delete') }
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

/** By action: the foreign keys of the rules `via:ticketId`. */
type ParentKeys = Readonly<Record<Action, readonly ParentKey[]>>

export interface KeyOptions {
  readonly naming: Naming
  /** The collection whose rows are the users; they own themselves. */
  readonly accounts: string
}

export const ACTIONS: readonly Action[] = ['read', 'create', 'update', 'delete']

export function parentKeys(rules: AccessRules, settings: ResourceSettings, options: KeyOptions): ParentKeys {
  return byAction((action) => {
    const fields = rules[action].filter((who) => who.startsWith(VIA)).map((who) => who.slice(VIA.length))
    return fields.map((field) => ({ field, resource: parentOf(settings, field, options) }))
  })
}

export interface KeyRules {
  readonly rules: AccessRules
  readonly via: ParentKeys
}

/** Refuses foreign keys that name no collection, and those that never lead to a rule of another kind. */
export function checkParentKeys(
  names: readonly string[],
  rulesOf: (name: string) => KeyRules,
  catalog: Catalog,
  accounts: string,
): void {
  const isEnding = ({ rules, via }: KeyRules, action: Action, steps: number): boolean =>
    rules[action].some((who) => !who.startsWith(VIA)) ||
    (steps > 0 &&
      via[action].some(({ resource }) => isEnding(rulesOf(resource), actionOnParent(action), steps - 1)))
  for (const name of names) {
    const own = rulesOf(name)
    for (const action of ACTIONS) {
      const keys = own.via[action]
      const setting = `resources.${name}.access.${action}`
      for (const { field, resource } of keys) {
        if (field === idOf(name, catalog.naming)) throw new ConfigError(`${setting}: ${isId(field, name)}`)
        if (resource === accounts || catalog.kindOf(resource) === 'collection') continue
        const key = nearestKey(field, catalog)
        const near = key && `Did you mean "${VIA}${key}"? If not,`
        const add = resource === '' ? '' : ` add "${resource}": [] to the data,`
        throw new ConfigError(
          `${setting}: "${VIA}${field}" names no collection. ${near ?? `Correct the name,${add} or`} say in ` +
            `resources.${name}.references.${field} what it points at.`,
        )
      }
      if (!isEnding(own, action, MOST_STEPS)) {
        throw new ConfigError(
          `${setting}: "${VIA}" leads to no other rule within ${MOST_STEPS} steps, so it lets nobody in. Add one, such as ` +
            '"owner" or "role:admin", here or where it leads.',
        )
      }
    }
  }
}

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

const DIGITS = ['owner', 'signed-in', 'anyone'] as const

/** The last digit that allows it is the rule: where anyone may read, users who are logged in may, too. */
function rulesOfNumber(digits: string): AccessRules {
  const widest = (bit: number) => DIGITS.findLast((_, at) => (Number(digits[at]) & bit) === bit) ?? 'nobody'
  const [read, write] = [[widest(4)], [widest(2)]]
  return { read, create: write, update: write, delete: write }
}

const VIA = 'via:'

/** The collection that a foreign key names: by the settings, or by its own name, as for `_expand`. */
function parentOf({ references, owner }: ResourceSettings, field: string, options: KeyOptions): string {
  const { accounts, naming } = options
  const declared = references && Object.hasOwn(references, field) ? references[field]?.resource : undefined
  if (declared !== undefined) return declared
  if (field === owner) return accounts
  const { foreignKeySuffix: suffix } = naming
  return field.endsWith(suffix) ? pluralOf(field.slice(0, field.length - suffix.length)) : ''
}

/** A foreign key that is nearly written so. */
function nearestKey(field: string, catalog: Catalog): string | undefined {
  const collections = catalog.names().filter((name) => catalog.kindOf(name) === 'collection')
  const keys = collections.map((name) => foreignKey(name, catalog.naming))
  return nearestOf(field, keys, 2)?.name
}
