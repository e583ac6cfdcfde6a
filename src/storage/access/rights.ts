export type Action = 'read' | 'create' | 'update' | 'delete'

/** What a client may do with the rows of a resource in one way. */
export interface Right {
  /** Which rows: all of them, those that the client owns, or none. */
  readonly reach: 'all' | 'own' | 'none'
  /** Who may, in the words of the settings: `owner or role:admin`. */
  readonly rule: string
  /** Whether a client that is refused might be admitted once it has logged in. */
  readonly needsLogin: boolean
}

export interface Rights extends Readonly<Record<Action, Right>> {
  /** The field that holds the id of a row's owner. */
  readonly owner: string
  /** Fields that the client cannot set: a new row gets this value, or none; a stored row keeps what it has. */
  readonly fixed: readonly { readonly field: string; readonly value?: unknown }[]
}

/** What one client may see and do. Plain JSON. To a client, a row that it may not read is not there. */
export interface Access {
  /** The same for clients that may see the same, so that they can share answers. */
  readonly key: string
  /** The id of the user's row, as text; absent where nobody is logged in. */
  readonly user?: string
  /** Whether it may replace everything, and take back what others did. */
  readonly isAdmin: boolean
  readonly resources: Readonly<Record<string, Rights>>
  readonly others: Rights
}

export function rightsIn({ resources, others }: Access, resource: string): Rights {
  return (Object.hasOwn(resources, resource) && resources[resource]) || others
}
