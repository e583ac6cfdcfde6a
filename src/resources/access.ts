import { ConfigError } from '../catalogue/error-classes.ts'
import { describeRule } from '../storage/rules/describe-rule.ts'
import type { Access, Action, Right, Rights } from '../storage/rules/rights.ts'
import type { Naming } from '../storage/types.ts'
import { Lru } from '../util/lru.ts'
import { filledOwner } from './open-resources.ts'
import type { AccessSettings, ResourcesSettings } from './resource-settings.ts'

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

type AccessRules = Readonly<Record<Action, readonly string[]>>

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

const MOST_CACHED = 1000

interface ResourceAccess {
  readonly rules: AccessRules
  readonly owner: string
  /** Whether rows have an owner that the server fills in. */
  readonly isFilledIn: boolean
  readonly isAccounts: boolean
}

/** The access rules of all resources, and what they allow each user. */
export class AccessControl {
  readonly #resources: ReadonlyMap<string, ResourceAccess>
  readonly #others: ResourceAccess
  readonly #role: string
  readonly #cached = new Lru<string, Access>({ limit: MOST_CACHED })

  constructor({ resources, naming, accounts, role }: AccessOptions) {
    const owner = `user${naming.foreignKeySuffix}`
    this.#others = { rules: DEFAULTS, owner, isFilledIn: false, isAccounts: false }
    this.#role = role
    const all: ResourcesSettings = { [accounts]: {}, ...resources }
    this.#resources = new Map(
      Object.entries(all).map(([name, settings]) => {
        const isAccounts = name === accounts
        const access = {
          rules: accessRulesOf(settings.access, isAccounts ? OF_ACCOUNTS : DEFAULTS),
          owner: settings.owner ?? (isAccounts ? naming.id : owner),
          isFilledIn: filledOwner(settings, naming, isAccounts) !== undefined,
          isAccounts,
        }
        return [name, access]
      }),
    )
  }

  rulesOf(name: string): AccessRules & { readonly owner: string } {
    const { rules, owner } = this.#resources.get(name) ?? this.#others
    return { ...rules, owner }
  }

  /** What a user may read and do; without one, what every client may. */
  accessFor(user: User | undefined): Access {
    const name = user === undefined ? '' : JSON.stringify([user.role, user.id])
    const cached = this.#cached.get(name)
    if (cached) return cached
    const access = this.#makeAccess(user)
    this.#cached.set(name, access)
    return access
  }

  #makeAccess(user: User | undefined): Access {
    const rights = [...this.#resources].map(
      ([name, access]) => [name, this.#rightsFor(access, user)] as const,
    )
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

  #rightsFor({ rules, owner, isFilledIn, isAccounts }: ResourceAccess, user: User | undefined): Rights {
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
  const isForNobody = rules[action].every((who) => who === 'nobody')
  return {
    // A new row is its creator's own.
    reach: action === 'create' && reach === 'own' ? 'all' : reach,
    rule: describeRule(rules[action]),
    // Does not reveal that logging in is of no use to a client that may not even read.
    needsLogin: user === undefined && (!isForNobody || reachOf(rules.read, undefined) !== 'all'),
  }
}

function reachOf(rules: readonly string[], user: User | undefined): Right['reach'] {
  if (rules.includes('anyone')) return 'all'
  if (!user) return 'none'
  if (rules.includes('signed-in') || rules.includes(`role:${user.role}`)) return 'all'
  return rules.includes('owner') ? 'own' : 'none'
}

/** Ids are compared as text. */
function idOf({ id }: User): string | undefined {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

/** Clients that read everything share one key; a user who reads only their own rows has a separate one. */
function keyFor(reaches: readonly Right['reach'][], id: string | undefined): string {
  if (reaches.every((reach) => reach === 'all')) return ''
  return JSON.stringify([reaches.join(), reaches.includes('own') ? id : null])
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

function accessRulesOf(settings: AccessSettings | undefined, defaults: AccessRules): AccessRules {
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
