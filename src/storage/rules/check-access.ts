import { StorageError } from '../../catalogue/error-classes.ts'
import { Pace } from '../../util/pace.ts'
import type { Effect } from '../data/commit.ts'
import { fieldText } from '../data/lookup.ts'
import { isChildOf } from '../relations/relations.ts'
import type { Row } from '../types.ts'
import { type Access, type Action, type Right, type Rights, rightsIn } from './rights.ts'

export function mayRead(access: Access, resource: string, row: Row): boolean {
  return mayAccess(access, resource, 'read', row)
}

function mayAccess(access: Access, resource: string, action: Action, row: Row): boolean {
  const rights = rightsIn(access, resource)
  const { reach } = rights[action]
  return reach === 'all' || (reach === 'own' && isOwn(access, rights, row))
}

export function isOwn({ user }: Access, { owner }: Rights, row: Row): boolean {
  return user !== undefined && isChildOf(row, owner, user)
}

/** What of a change a client may read: a row that becomes unreadable looks deleted, one that becomes readable created. */
export function readableEffects(effects: readonly Effect[], access: Access): readonly Effect[] {
  return effects.flatMap<Effect>((effect) => {
    const { name } = effect
    // An object cannot look created or deleted, so both states must be readable.
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

export function requireRight(access: Access, resource: string, action: Action): void {
  const right = rightsIn(access, resource)[action]
  if (right.reach === 'none') throw refusal(resource, action, right)
}

export function refusal(resource: string, action: Action, right: Right, why?: string): StorageError {
  const message = [`${right.rule} can ${action} ${resource}.`, why].filter(Boolean).join(' ')
  return right.needsLogin
    ? new StorageError('AUTH_REQUIRED', `${message} Log in first.`)
    : new StorageError('AUTH_FORBIDDEN', message)
}

/** @param why shown if the client did not name the row */
export function checkRow(access: Access, resource: string, action: Action, row: Row, why?: string): void {
  if (mayAccess(access, resource, action, row)) return
  throw refusal(resource, action, rightsIn(access, resource)[action], why)
}

export async function checkRows(
  access: Access,
  resource: string,
  action: Action,
  rows: readonly Row[],
  why?: string,
): Promise<void> {
  const pace = new Pace()
  for (const row of rows) {
    checkRow(access, resource, action, row, why)
    if (pace.isDue) await pace.turn()
  }
}

/** For changes that replace or undo those of any client. */
export function requireAdmin({ isAdmin }: Access): void {
  if (isAdmin) return
  throw new StorageError('AUTH_FORBIDDEN', 'Only admins can change everything. Nothing was changed.')
}

/** Refuses new rows whose ids existing rows name as their owner: only an admin may choose one. */
export function checkNewIds(
  { isAdmin }: Access,
  collection: string,
  idName: string,
  rows: readonly Row[],
  isOwner: (id: string) => boolean,
): void {
  if (isAdmin) return
  for (const row of rows) {
    const id = fieldText(row, idName)
    if (id === undefined || !isOwner(id)) continue
    const message = `${collection}: the ${idName} ${id} owns rows already, so only role:admin may choose it. Leave the ${idName} out. Nothing was changed.`
    throw new StorageError('AUTH_FORBIDDEN', message)
  }
}

export function isFixed(access: Access, resource: string, field: string): boolean {
  return rightsIn(access, resource).fixed.some((fixed) => fixed.field === field)
}

/** With the fields that the client cannot set, such as the owner: as in the old row or, for a new one, as its rights say. */
export function withFixedFields(access: Access, resource: string, row: Row, old?: Row): Row {
  let fixed = row
  for (const { field, value } of rightsIn(access, resource).fixed) {
    const stored = old && Object.hasOwn(old, field) ? old[field] : undefined
    fixed = withField(fixed, field, old ? stored : value)
  }
  return fixed
}

function withField(row: Row, field: string, value: unknown): Row {
  if (value !== undefined) return { ...row, [field]: value }
  const { [field]: _, ...others } = row
  return others
}
