import type { Request, Response } from 'express'
import { StorageError } from '../../errors.ts'
import { sessionOf } from '../../http/session-of.ts'
import { refuse } from '../_guard.ts'
import { hashPassword } from '../login/password-check.ts'
import type { StoredUser, UserFields } from './account-store.ts'
import type { Admission, AdmissionOptions, Sender } from './admission.ts'
import { emailFault, passwordFault, refuseFields } from './field-faults.ts'

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
    refuse(res, 'accounts', 'AUTH_FORBIDDEN', message)
    return 'refused'
  }
  const own = Object.entries(fields).filter(([name]) => !isKept(name))
  return store.change(req, String(me.id), Object.fromEntries(own), (stored) => {
    return me.login && chains.expect(me.login.chain, stored)
  })
}

export interface AccountParts extends Omit<AdmissionOptions, 'persona' | 'role'> {
  readonly roles: readonly [string, ...string[]]
  readonly isKept: (field: string) => boolean
  readonly admission: Admission
}

/** A role is given, and a form may send the fields of another. */
const DROPPED: ReadonlySet<string> = new Set(['role', 'currentPassword'])

/** Adds the user that somebody signs up as. Throws a `StorageError`. */
export async function addUser(
  req: Request,
  res: Response,
  sent: UserFields,
  { store, roles, isKept }: Pick<AccountParts, 'store' | 'roles' | 'isKept'>,
): Promise<StoredUser> {
  const { email, password } = sent
  refuseFields({ email: emailFault(email), password: passwordFault(password) })
  const session = sessionOf(req)
  const own = Object.entries(sent).filter(([name]) => !DROPPED.has(name) && !isKept(name))
  const fields = { ...Object.fromEntries(own), role: roles[0] }
  const [name, secret] = [String(email), String(password)]
  return inTurn(JSON.stringify([session, name.toLowerCase()]), async () => {
    // The commit decides; this spares late requests the hash.
    if (await store.find(name, session, true)) refuseTaken()
    const hash = await hashPassword(secret, () => !res.destroyed)
    return store.add(req, fields, [[secret, hash]])
  })
}

function refuseTaken(): never {
  const errors = { email: 'is already taken' }
  throw new StorageError('NOT_UNIQUE', 'email is already taken. Nothing was changed.', { errors })
}

const turns = new Map<string, Promise<unknown>>()

/** Runs work after all earlier work of the same name: of many who want one email, one makes a hash. */
async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const result = (turns.get(name) ?? Promise.resolve()).then(work)
  const turn = result.catch(() => {})
  turns.set(name, turn)
  try {
    return await result
  } finally {
    if (turns.get(name) === turn) turns.delete(name)
  }
}
