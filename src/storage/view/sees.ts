import { StorageError } from '../../errors.ts'
import { isChildOf } from '../relations/relations.ts'
import type { Row } from '../types.ts'
import { type Action, type Right, type Rights, rightsIn, type View } from '../view.ts'

/** Whether a client may see a row of a resource, or a single object. */
export function sees(view: View, resource: string, row: Row): boolean {
  return mayReach(view, resource, 'read', row)
}

/** Whether a client may do this with a row. */
export function mayReach(view: View, resource: string, action: Action, row: Row): boolean {
  const rights = rightsIn(view, resource)
  const { reach } = rights[action]
  return reach === 'all' || (reach === 'own' && isOwn(view, rights, row))
}

/** Whether the client's user owns a row. Compared as ids are everywhere: as text. */
export function isOwn({ user }: View, { owner }: Rights, row: Row): boolean {
  return user !== undefined && isChildOf(row, owner, user)
}

/** Refuses what the client may do with no row at all. */
export function admit(view: View, resource: string, action: Action): void {
  const right = rightsIn(view, resource)[action]
  if (right.reach === 'none') throw refusal(resource, action, right)
}

/** The message names the rule, and nothing of any row. */
export function refusal(
  resource: string,
  action: Action,
  { rule, needsLogin }: Right,
  why?: string,
): StorageError {
  const message = [`${resource}: ${action} is for ${rule}.`, why].filter(Boolean).join(' ')
  return needsLogin
    ? new StorageError('AUTH_REQUIRED', `${message} Log in, and send the access token.`)
    : new StorageError('AUTH_FORBIDDEN', message)
}
