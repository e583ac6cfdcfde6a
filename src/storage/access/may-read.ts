import { StorageError } from '../../catalogue/error-classes.ts'
import type { Effect } from '../data/commit.ts'
import { isChildOf } from '../relations/relations.ts'
import type { Row } from '../types.ts'
import { type Access, type Action, type Right, type Rights, rightsIn } from './rights.ts'

export function mayRead(access: Access, resource: string, row: Row): boolean {
  return mayAccess(access, resource, 'read', row)
}

export function mayAccess(access: Access, resource: string, action: Action, row: Row): boolean {
  const rights = rightsIn(access, resource)
  const { reach } = rights[action]
  return reach === 'all' || (reach === 'own' && isOwn(access, rights, row))
}

/** Whether the client's user owns a row. Compared as ids are everywhere: as text. */
export function isOwn({ user }: Access, { owner }: Rights, row: Row): boolean {
  return user !== undefined && isChildOf(row, owner, user)
}

/** What of a change a client may see: a row that leaves its view looks deleted, one that enters it created. */
export function readableEffects(effects: readonly Effect[], access: Access): readonly Effect[] {
  return effects.flatMap<Effect>((effect) => {
    const { name } = effect
    // An object has no id under which it could be missed: it is shown as far as both states may be seen.
    if (effect.kind === 'object') {
      return mayRead(access, name, effect.before) && mayRead(access, name, effect.after) ? [effect] : []
    }
    const rows = effect.rows.flatMap(({ rank, before, after }) => {
      const was = before !== undefined && mayRead(access, name, before)
      const is = after !== undefined && mayRead(access, name, after)
      return was || is ? [{ rank, ...(was && { before }), ...(is && { after }) }] : []
    })
    return rows.length === 0 ? [] : [{ ...effect, rows }]
  })
}

/** Refuses what the client may do with no row at all. */
export function requireRight(access: Access, resource: string, action: Action): void {
  const right = rightsIn(access, resource)[action]
  if (right.reach === 'none') throw refusal(resource, action, right)
}

/** The message names the rule, and nothing of any row. */
export function refusal(resource: string, action: Action, right: Right, why?: string): StorageError {
  const message = [`${resource}: ${action} is for ${right.rule}.`, why].filter(Boolean).join(' ')
  return right.needsLogin
    ? new StorageError('AUTH_REQUIRED', `${message} Log in, and send the access token.`)
    : new StorageError('AUTH_FORBIDDEN', message)
}
