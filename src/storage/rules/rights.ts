export type Action = 'read' | 'create' | 'update' | 'delete'

export interface Right {
  readonly reach: 'all' | 'own' | 'none'
  /** Who has it, for messages: `Only the owner and admins`. */
  readonly rule: string
  /** Whether logging in might help. */
  readonly needsLogin: boolean
}

export interface Rights extends Readonly<Record<Action, Right>> {
  readonly owner: string
  /** Fields that the client cannot set: a new row gets this value, or none; a stored row keeps what it has. */
  readonly fixed: readonly { readonly field: string; readonly value?: unknown }[]
}

/** What one client may read and write. Plain JSON. To a client, a row that it may not read is not there. */
export interface Access {
  /** Equal for clients with equal rights, so that they can share cached responses. */
  readonly key: string
  readonly user?: string
  readonly isAdmin: boolean
  readonly resources: Readonly<Record<string, Rights>>
  readonly others: Rights
}

export function rightsIn({ resources, others }: Access, resource: string): Rights {
  return (Object.hasOwn(resources, resource) && resources[resource]) || others
}
