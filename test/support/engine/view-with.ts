import type { Access, Action, ParentKey, Right, Rights } from '../../../src/core/engine/rules/rights.ts'

/** Which rows: all, the client's own, none, or those below what it reaches by these keys. */
export type Reach = 'all' | 'own' | 'none' | readonly (ParentKey | 'own')[]

/** What a client may do with a resource; all that is not said. */
export interface Said extends Partial<Record<Action, Reach>> {
  readonly owner?: string
  readonly fixed?: Rights['fixed']
}

/** A view of this user: rights by resource, everything else allowed. */
export function accessWith(
  said: Readonly<Record<string, Said>>,
  user: string | undefined,
  isAdmin = false,
): Access {
  return {
    key: JSON.stringify([said, user]),
    ...(user !== undefined && { user, userId: Number(user) }),
    isAdmin,
    resources: Object.fromEntries(Object.entries(said).map(([name, each]) => [name, rights(each, user)])),
    others: rights({}, user),
  }
}

function rights({ owner = 'userId', fixed = [], ...reaches }: Said, user: string | undefined): Rights {
  const right = (action: Action): Right => {
    const said = reaches[action] ?? 'all'
    const some = said === 'own' ? [said] : typeof said === 'string' ? [] : said
    return {
      reach: said === 'all' || said === 'none' ? said : 'some',
      isForOwner: some.includes('own'),
      via: some.filter((one) => one !== 'own'),
      rule: `rule-of-${action}`,
      needsLogin: user === undefined,
    }
  }
  return {
    read: right('read'),
    create: right('create'),
    update: right('update'),
    delete: right('delete'),
    owner,
    fixed,
  }
}
