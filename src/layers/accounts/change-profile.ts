import type { Request, Response } from 'express'
import { refuse } from '../_guard.ts'
import type { AccountParts } from './account-parts.ts'
import type { StoredUser, UserFields } from './account-store.ts'
import type { Sender } from './admission.ts'
import { refuseFields } from './refuse-fields.ts'

const ADMIN = 'admin'

/** Changes what users may change of themselves. Undefined if they are gone; throws a `StorageError` as any write does. */
export async function changeProfile(
  req: Request,
  res: Response,
  me: Sender,
  fields: UserFields,
  { store, chains, roles, isKept }: Pick<AccountParts, 'store' | 'chains' | 'roles' | 'isKept'>,
): Promise<StoredUser | 'refused' | undefined> {
  const { role = me.role } = fields
  refuseFields({
    role: roles.includes(String(role)) || role === me.role ? undefined : `must be one of ${roles.join(', ')}`,
  })
  if (role !== me.role && me.role !== ADMIN) {
    const message = 'Only a user with the role admin may change a role.'
    refuse(res, 'accounts', 403, { error: 'Forbidden', message, code: 'AUTH_FORBIDDEN' })
    return 'refused'
  }
  const own = Object.entries(fields).filter(([name]) => !isKept(name))
  return store.change(req, String(me.id), Object.fromEntries(own), (stored) => {
    return me.login && chains.expect(me.login.chain, stored)
  })
}
