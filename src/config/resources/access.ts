import type { Catalog } from '../../core/engine/engine.ts'
import {
  type Access,
  type Action,
  actionOnParent,
  describeRule,
  MOST_STEPS,
  type Right,
  type Rights,
  rightsIn,
} from '../../core/engine/rules/rights.ts'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import type { AccessInfo } from '../../core/kernel/catalogue/service-info.ts'
import { getOrMake } from '../../core/kernel/util/get-or-make.ts'
import { Lru } from '../../core/kernel/util/lru.ts'
import {
  ACTIONS,
  accessRulesOf,
  byAction,
  checkParentKeys,
  type KeyOptions,
  type KeyRules,
  parentKeys,
} from './access-rules.ts'
import { filledOwner, isId } from './open-resources.ts'
import type { ResourceSettings, ResourcesSettings } from './resource-settings.ts'

export interface AuthorizedUser {
  readonly id: unknown
  readonly role: string
}

export interface AccessOptions extends KeyOptions {
  readonly resources: ResourcesSettings
  readonly role: string
}

const ADMIN = 'admin'

const MOST_CACHED = 1000

interface ResourceAccess extends KeyRules {
  /** The field with the ids of its rows. */
  readonly id: string
  readonly owner: string
  /** Whether rows have an owner that the server fills in. */
  readonly isFilledIn: boolean
  readonly isAccounts: boolean
  readonly isDeclared: boolean
}

/** Undefined for clients that are not logged in. */
type Role = string | undefined

interface RoleRights extends Pick<Access, 'resources' | 'others'> {
  /** The readable rows of each resource. */
  readonly reaches: readonly Right['reach'][]
}

/** The access rules of all resources, and what they allow each user. */
export class AccessControl {
  readonly #options: AccessOptions
  readonly #resources: ReadonlyMap<string, ResourceAccess>
  readonly #others: ResourceAccess
  readonly #cached = new Lru<string, Access>({ limit: MOST_CACHED })
  readonly #byRole = new Lru<Role, RoleRights>({ limit: MOST_CACHED })

  constructor(options: AccessOptions) {
    const { resources, accounts } = options
    const all: ResourcesSettings = { [accounts]: {}, ...resources }
    this.#options = options
    this.#resources = new Map(
      Object.entries(all).map(([name, settings]) => [name, openAccess(settings, options, name === accounts)]),
    )
    this.#others = openAccess({}, options, false)
  }

  /** Who may do what with a resource. */
  readonly describe = (name: string): AccessInfo => {
    const { rules, owner, isDeclared } = this.#of(name)
    const rights = rightsIn(this.accessFor(undefined), name)
    const withoutLogin = ACTIONS.filter((action) => rights[action].reach !== 'none')
    return { ...rules, owner, withoutLogin, isDeclared }
  }

  /** Throws a ConfigError if a key leads nowhere, or is no key. */
  checkKeys(catalog: Catalog): void {
    for (const [name, { id, owner, rules, isAccounts }] of this.#resources) {
      const isUsed = ACTIONS.some((action) => rules[action].includes('owner'))
      if (isUsed && owner === id && !isAccounts)
        throw new ConfigError(`resources.${name}.owner: ${isId(id, name)}`)
    }
    checkParentKeys([...this.#resources.keys()], (name) => this.#of(name), catalog, this.#options.accounts)
  }

  /** Collections whose rows give access to others, each with the fields that name them in a resource. */
  parents(): ReadonlyMap<string, (resource: string) => readonly string[]> {
    const targets = [...this.#resources.values()].flatMap(({ via }) => Object.values(via).flat())
    const names = [this.#options.accounts, ...targets.map(({ resource }) => resource)]
    return new Map(names.map((name) => [name, (resource) => this.#keysTo(name, this.#of(resource))]))
  }

  #keysTo(parent: string, { owner, via }: ResourceAccess): readonly string[] {
    const keys = Object.values(via)
      .flat()
      .filter(({ resource }) => resource === parent)
    // Users own themselves.
    const { accounts } = this.#options
    const isOwned = parent === accounts && owner !== this.#of(parent).id
    return [...new Set([...(isOwned ? [owner] : []), ...keys.map(({ field }) => field)])]
  }

  #of(name: string): ResourceAccess {
    return this.#resources.get(name) ?? this.#others
  }

  /** The access of a user; without a user, that of every client. */
  accessFor(user: AuthorizedUser | undefined): Access {
    const name = user === undefined ? '' : JSON.stringify([user.role, user.id])
    return getOrMake(this.#cached, name, () => this.#makeAccess(user))
  }

  #makeAccess(user: AuthorizedUser | undefined): Access {
    const role = user?.role
    const { reaches, resources, others } = getOrMake(this.#byRole, role, () => this.#rightsOf(role))
    const id = user && userIdOf(user)
    return {
      key: keyFor(reaches, id),
      ...(id !== undefined && { user: id }),
      ...(user && { userId: user.id }),
      isAdmin: role === ADMIN,
      resources,
      others,
    }
  }

  /** Users with the same role have the same rights. */
  #rightsOf(role: Role): RoleRights {
    const rights = [...this.#resources].map(
      ([name, access]) => [name, this.#rightsFor(access, role)] as const,
    )
    return {
      reaches: rights.map(([, { read }]) => read.reach),
      resources: Object.fromEntries(rights),
      others: this.#rightsFor(this.#others, role),
    }
  }

  #rightsFor(access: ResourceAccess, role: Role): Rights {
    const { owner, isFilledIn, isAccounts } = access
    const mayPromote = !isAccounts || role === ADMIN
    return {
      ...byAction((action) => this.#rightFor(action, access, role)),
      owner,
      fixed: [
        ...(isFilledIn ? [{ field: owner, isUser: true }] : []),
        ...(mayPromote ? [] : [{ field: 'role', value: this.#options.role }]),
      ],
    }
  }

  #rightFor(action: Action, access: ResourceAccess, role: Role): Right {
    const who = access.rules[action]
    const isForNobody = who.every((one) => one === 'nobody')
    const reach = this.#reachOf(action, access, role)
    return {
      reach,
      isForOwner: who.includes('owner'),
      // Who may create anywhere may also move rows anywhere.
      via: reach === 'all' ? [] : access.via[action],
      rule: describeRule(who, action),
      // Does not reveal that logging in is of no use to a client that may not even read.
      needsLogin: role === undefined && (!isForNobody || this.#reachOf('read', access, undefined) !== 'all'),
    }
  }

  #reachOf(action: Action, { rules, via }: ResourceAccess, role: Role, steps = MOST_STEPS): Right['reach'] {
    const who = rules[action]
    if (who.includes('anyone')) return 'all'
    const isLoggedIn = role !== undefined
    if (isLoggedIn && (who.includes('signed-in') || who.includes(`role:${role}`))) return 'all'
    // A new row is its creator's own.
    if (isLoggedIn && who.includes('owner')) return action === 'create' ? 'all' : 'some'
    const mayReach = (parent: string) =>
      (['read', actionOnParent(action)] as const).every(
        (each) => this.#reachOf(each, this.#of(parent), role, steps - 1) !== 'none',
      )
    return steps > 0 && via[action].some(({ resource }) => mayReach(resource)) ? 'some' : 'none'
  }
}

function openAccess(settings: ResourceSettings, options: KeyOptions, isAccounts: boolean): ResourceAccess {
  const { naming } = options
  const rules = accessRulesOf(settings.access, isAccounts)
  const id = settings.id ?? naming.id
  return {
    rules,
    id,
    owner: settings.owner ?? (isAccounts ? id : `user${naming.foreignKeySuffix}`),
    isFilledIn: filledOwner(settings, naming, isAccounts) !== undefined,
    isAccounts,
    isDeclared: settings.access !== undefined,
    via: parentKeys(rules, settings, options),
  }
}

/** Ids are compared as text. */
function userIdOf({ id }: AuthorizedUser): string | undefined {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

/** Clients that read everything share one key; a user who reads only some rows has a separate one. */
function keyFor(reaches: readonly Right['reach'][], id: string | undefined): string {
  if (reaches.every((reach) => reach === 'all')) return ''
  return JSON.stringify([reaches.join(), reaches.includes('some') ? id : null])
}
