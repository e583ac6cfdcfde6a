import { ConfigError } from '../catalogue/error-classes.ts'
import type { Catalog } from '../storage/engine/engine.ts'
import { foreignKey, pluralOf } from '../storage/relations/relations.ts'
import { type Action, actionOnParent, MOST_STEPS, type ParentKey } from '../storage/rules/rights.ts'
import type { Naming } from '../storage/types.ts'
import { editDistance } from '../util/edit-distance.ts'
import type { AccessRules } from './access-rules.ts'
import type { ResourceSettings } from './resource-settings.ts'

/** By action: the foreign keys of the rules `via:ticketId`. */
export type ParentKeys = Readonly<Record<Action, readonly ParentKey[]>>

export interface KeyOptions {
  readonly naming: Naming
  /** The collection whose rows are the users; they own themselves. */
  readonly accounts: string
}

const VIA = 'via:'

export const ACTIONS: readonly Action[] = ['read', 'create', 'update', 'delete']

export function parentKeys(
  rules: AccessRules,
  settings?: ResourceSettings,
  options?: KeyOptions,
): ParentKeys {
  const keysIn = (who: readonly string[]) =>
    who.flatMap((one): ParentKey[] => {
      if (!settings || !options || !one.startsWith(VIA)) return []
      const field = one.slice(VIA.length)
      return [{ field, resource: parentOf(settings, field, options) }]
    })
  const { read, create, update, delete: remove } = rules
  return { read: keysIn(read), create: keysIn(create), update: keysIn(update), delete: keysIn(remove) }
}

/** The collection that a foreign key names: by the settings, or by its own name, as for `_expand`. */
function parentOf({ references, owner }: ResourceSettings, field: string, options: KeyOptions): string {
  const { accounts, naming } = options
  const declared = references && Object.hasOwn(references, field) ? references[field]?.resource : undefined
  if (declared !== undefined) return declared
  if (field === owner) return accounts
  const { foreignKeySuffix: suffix } = naming
  return field.endsWith(suffix) ? pluralOf(field.slice(0, field.length - suffix.length)) : ''
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

/** A foreign key that is nearly written so. */
function nearestKey(field: string, catalog: Catalog): string | undefined {
  const most = Math.min(2, Math.floor(field.length / 3))
  return catalog
    .names()
    .filter((name) => catalog.kindOf(name) === 'collection')
    .map((name) => foreignKey(name, catalog.naming))
    .find((key) => editDistance(field.toLowerCase(), key.toLowerCase(), most) !== undefined)
}
