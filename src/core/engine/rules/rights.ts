import pluralize from 'pluralize'

export type Action = 'read' | 'create' | 'update' | 'delete'

export interface Right {
  /** `some`: rows that the client owns, or that reference rows it has access to. */
  readonly reach: 'all' | 'some' | 'none'
  readonly isForOwner: boolean
  readonly via: readonly ParentKey[]
  /** Who has it, for messages: `Only the owner and admins`. */
  readonly rule: string
  /** Whether logging in might help. */
  readonly needsLogin: boolean
}

/** A foreign key. Clients that can read the row it names can read its holder; those that can update it can also write. */
export interface ParentKey {
  readonly field: string
  readonly resource: string
}

/** From a row to its parent, to that one's parent, and so on: rules, and rows, may lead in circles. */
export const MOST_STEPS = 5

export interface Rights extends Readonly<Record<Action, Right>> {
  readonly owner: string
  /** Fields that the client cannot set: a stored row keeps what it has. */
  readonly fixed: readonly FixedField[]
}

interface FixedField {
  readonly field: string
  /** The owner of a new row: the user's id, this value, or none. */
  readonly isUser?: boolean
  readonly value?: unknown
}

/** The rights of a client to read and write. Plain JSON. To a client, a row that it may not read is not there. */
export interface Access {
  /** Equal for clients with equal rights, so that they can share cached responses. */
  readonly key: string
  readonly user?: string
  /** As stored: a number, or a string. */
  readonly userId?: unknown
  readonly isAdmin: boolean
  readonly resources: Readonly<Record<string, Rights>>
  readonly others: Rights
}

export function rightsIn({ resources, others }: Access, resource: string): Rights {
  return (Object.hasOwn(resources, resource) && resources[resource]) || others
}

/** The action that a client must be allowed on a parent. */
export function actionOnParent(action: Action): 'read' | 'update' {
  return action === 'read' ? 'read' : 'update'
}

/** Who has a right, as the subject of a sentence: `Only the owner, agents and admins` for `owner`, `role:agent`, `role:admin`. */
export function describeRule(who: readonly string[], action: Action): string {
  if (who.includes('anyone')) return 'Anyone'
  const isVia = (one: string) => one.startsWith('via:')
  // At the end: the long ones would hide the others.
  const ordered = [...who.filter((one) => !isVia(one) && one !== 'nobody'), ...who.filter(isVia)]
  const names = ordered.map((one) => describeClients(one, action))
  const last = names.pop()
  if (last === undefined) return 'Nobody'
  return `Only ${names.length > 0 ? `${names.join(', ')} and ` : ''}${last}`
}

function describeClients(who: string, action: Action): string {
  if (who === 'owner') return 'the owner'
  if (who === 'signed-in') return 'logged-in users'
  if (who.startsWith('via:'))
    return `users who can ${actionOnParent(action)} the row that ${who.slice(4)} names`
  return pluralize(who.replace(/^role:/, ''))
}
