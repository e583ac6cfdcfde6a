import { ConfigError } from '../catalogue/error-classes.ts'
import type { Access, Action, Right, Rights } from '../storage/access/rights.ts'
import type { Naming } from '../storage/types.ts'
import { Lru } from '../util/lru.ts'
import { type AccessRules, accessRulesOf } from './access-settings.ts'
import { filledOwner } from './added-fields.ts'
import type { ResourceSettings, ResourcesSettings } from './resource-settings.ts'

export interface User {
  readonly id: unknown
  readonly role: string
}

export interface AccessOptions {
  readonly resources: ResourcesSettings
  readonly naming: Naming
  /** The collection whose rows are the users; they own themselves. */
  readonly accounts: string
  readonly role: string
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

const ADMIN = 'admin'

const MOST_VIEWS = 1000

interface Ruled {
  readonly rules: AccessRules
  readonly owner: string
  /** Whether rows have an owner that the server fills in. */
  readonly isFilledIn: boolean
  readonly isAccounts: boolean
}

export class AccessControl {
  readonly #resources: ReadonlyMap<string, Ruled>
  readonly #others: Ruled
  readonly #role: string
  readonly #views = new Lru<string, Access>({ limit: MOST_VIEWS })

  constructor({ resources, naming, accounts, role }: AccessOptions) {
    const owner = `user${naming.foreignKeySuffix}`
    this.#others = { rules: DEFAULTS, owner, isFilledIn: false, isAccounts: false }
    this.#role = role
    const ruled = (name: string, settings: ResourceSettings = {}): Ruled => {
      const isAccounts = name === accounts
      return {
        rules: accessRulesOf(settings.access, isAccounts ? OF_ACCOUNTS : DEFAULTS),
        owner: settings.owner ?? (isAccounts ? naming.id : owner),
        isFilledIn: filledOwner(settings, naming, isAccounts) !== undefined,
        isAccounts,
      }
    }
    const names = Object.keys(resources).filter((name) => name !== accounts)
    const own = Object.hasOwn(resources, accounts) ? resources[accounts] : undefined
    this.#resources = new Map([
      ...names.map((name) => [name, ruled(name, resources[name])] as const),
      [accounts, ruled(accounts, own)],
    ])
  }

  /** Who may do what with a resource, and the field with the owner of its rows. */
  rulesOf(name: string): AccessRules & { readonly owner: string } {
    const { rules, owner } = this.#resources.get(name) ?? this.#others
    return { ...rules, owner }
  }

  /** What a user may see and do; without one, what anybody may. */
  accessFor(user: User | undefined): Access {
    const name = user === undefined ? '' : JSON.stringify([user.role, user.id])
    const known = this.#views.get(name)
    if (known) return known
    const access = this.#makeView(user)
    this.#views.set(name, access)
    return access
  }

  #makeView(user: User | undefined): Access {
    const rights = [...this.#resources].map(([name, ruled]) => [name, this.#rightsFor(ruled, user)] as const)
    const id = user && idOf(user)
    return {
      key: keyFor(
        rights.map(([, { read }]) => read.reach),
        id,
      ),
      ...(id !== undefined && { user: id }),
      isAdmin: user?.role === ADMIN,
      resources: Object.fromEntries(rights),
      others: this.#rightsFor(this.#others, user),
    }
  }

  #rightsFor({ rules, owner, isFilledIn, isAccounts }: Ruled, user: User | undefined): Rights {
    const mayPromote = !isAccounts || user?.role === ADMIN
    return {
      read: rightFor('read', rules, user),
      create: rightFor('create', rules, user),
      update: rightFor('update', rules, user),
      delete: rightFor('delete', rules, user),
      owner,
      fixed: [
        ...(isFilledIn ? [{ field: owner, ...(user && { value: user.id }) }] : []),
        ...(mayPromote ? [] : [{ field: 'role', value: this.#role }]),
      ],
    }
  }
}

function rightFor(action: Action, rules: AccessRules, user: User | undefined): Right {
  const reach = reachOf(rules[action], user)
  const isForSomebody = !rules[action].every((who) => who === 'nobody')
  return {
    // A new row is its creator's own.
    reach: action === 'create' && reach === 'own' ? 'all' : reach,
    rule: rules[action].join(' or '),
    // A client that may not even read is not told that logging in is of no use.
    needsLogin: user === undefined && (isForSomebody || reachOf(rules.read, undefined) !== 'all'),
  }
}

function reachOf(rules: readonly string[], user: User | undefined): Right['reach'] {
  if (rules.includes('anyone')) return 'all'
  if (!user) return 'none'
  if (rules.includes('signed-in') || rules.includes(`role:${user.role}`)) return 'all'
  return rules.includes('owner') ? 'own' : 'none'
}

/** As ids are compared: as text. Without one, nothing is anybody's. */
function idOf({ id }: User): string | undefined {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

/** Clients that read everything share one key; a user who reads rows of their own has one of their own. */
function keyFor(reaches: readonly Right['reach'][], id: string | undefined): string {
  if (reaches.every((reach) => reach === 'all')) return ''
  return JSON.stringify([reaches.join(), reaches.includes('own') ? id : null])
}

/** Refuses rules for roles that no user has: they would be for nobody, and nobody would know why. */
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
