import { StorageError } from '../../kernel/catalogue/error-classes.ts'
import { TimeSlice } from '../../kernel/util/pace.ts'
import type { TableSource } from '../data/database.ts'
import { fieldText } from '../data/lookup.ts'
import type { Row } from '../types.ts'
import { rowTest } from './reachable-rows.ts'
import { type Access, type Action, type Right, rightsIn } from './rights.ts'
import { withoutFields } from './served-fields.ts'

export function requireRight(access: Access, resource: string, action: Action): void {
  const right = rightsIn(access, resource)[action]
  if (right.reach === 'none') throw refusal(resource, action, right)
}

function refusal(resource: string, action: Action, right: Right, why?: string): StorageError {
  const message = [`${right.rule} can ${action} ${resource}.`, why].filter(Boolean).join(' ')
  return right.needsLogin
    ? new StorageError('AUTH_REQUIRED', `${message} Log in first.`)
    : new StorageError('AUTH_FORBIDDEN', message)
}

/** @param why shown if the client did not name the rows */
export async function checkRows(
  source: TableSource,
  access: Access,
  resource: string,
  action: Action,
  rows: readonly Row[],
  why?: string,
): Promise<void> {
  const right = rightsIn(access, resource)[action]
  if (right.reach === 'all') return
  const test = await rowTest(source, access, resource, action)
  const pace = new TimeSlice()
  for (const row of rows) {
    if (!test(row)) throw refusal(resource, action, right, why)
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
}

/** A client that moves rows to another parent needs access there, too: as for an update, and as for a new row. */
export async function checkMoved(
  source: TableSource,
  access: Access,
  resource: string,
  rows: readonly Row[],
  next: readonly Row[],
): Promise<void> {
  for (const action of ['update', 'create'] as const) {
    const { via } = rightsIn(access, resource)[action]
    if (via.length === 0) continue
    const isMoved = (row: Row, old: Row | undefined) =>
      via.some(({ field }) => fieldText(row, field) !== fieldText(old, field))
    const moved = next.filter((row, at) => isMoved(row, rows[at]))
    await checkRows(source, access, resource, action, moved)
  }
}

/** For changes that replace or undo those of any client. */
export function requireAdmin({ isAdmin }: Access): void {
  if (isAdmin) return
  throw new StorageError('AUTH_FORBIDDEN', 'Only admins can change everything. Nothing was changed.')
}

/** Refuses new rows whose ids give access to existing rows: only an admin may choose one. */
export function checkNewIds(
  { isAdmin }: Access,
  collection: string,
  idName: string,
  rows: readonly Row[],
  isInUse: (id: string) => boolean,
): void {
  if (isAdmin) return
  for (const row of rows) {
    const id = fieldText(row, idName)
    if (id === undefined || !isInUse(id)) continue
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
  for (const { field, isUser, value } of rightsIn(access, resource).fixed) {
    const stored = old && Object.hasOwn(old, field) ? old[field] : undefined
    const next = old ? stored : isUser ? access.userId : value
    fixed = next === undefined ? withoutFields(fixed, [field]) : { ...fixed, [field]: next }
  }
  return fixed
}
