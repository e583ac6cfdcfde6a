import type { Request, Response } from 'express'
import { refuse } from '../_guard.ts'
import { isPassword } from '../login/is-password.ts'
import { hashPassword } from '../login/password-check.ts'
import type { AccountParts } from './account-parts.ts'
import type { Seals, StoredUser, UserFields } from './account-store.ts'
import type { Sender } from './admission.ts'
import { emailFault, passwordFault } from './password-rule.ts'
import { refuseFields } from './refuse-fields.ts'

const ADMIN = 'admin'

/** Changes what users may change of themselves. Undefined if they are gone; throws a `StorageError` as any write does. */
export async function changeProfile(
  req: Request,
  res: Response,
  me: Sender,
  sent: UserFields,
  { store, chains, roles, isKept }: Pick<AccountParts, 'store' | 'chains' | 'roles' | 'isKept'>,
): Promise<StoredUser | 'refused' | undefined> {
  const { currentPassword, ...fields } = sent
  const { email, role = me.role, password } = fields
  refuseFields({
    email: Object.hasOwn(fields, 'email') ? emailFault(email) : undefined,
    role: roles.includes(String(role)) || role === me.role ? undefined : `must be one of ${roles.join(', ')}`,
    password: password === undefined ? undefined : passwordFault(password),
    currentPassword: password === undefined ? undefined : missingFault(currentPassword),
  })
  if (role !== me.role && me.role !== ADMIN) {
    const message = 'Only a user with the role admin may change a role.'
    refuse(res, 'accounts', 403, { error: 'Forbidden', message, code: 'AUTH_FORBIDDEN' })
    return 'refused'
  }
  const isWanted = () => !res.destroyed
  const seals: [string, string][] = []
  if (typeof password === 'string') {
    const isOwn = await isPassword(String(currentPassword), String(me.password ?? ''), isWanted)
    refuseFields({ currentPassword: isOwn ? undefined : 'is wrong' })
    const hash = await hashPassword(password, isWanted)
    if (me.login) await chains.expect(me.login.chain, hash)
    seals.push([password, hash])
  }
  const own = Object.entries(fields).filter(([name]) => !isKept(name))
  return store.change(req, String(me.id), Object.fromEntries(own), seals satisfies Seals)
}

function missingFault(current: unknown): string | undefined {
  if (current === undefined || current === '') return 'is required to change the password'
  return typeof current === 'string' ? undefined : 'must be a string'
}
