import type { Request, Response } from 'express'
import { StorageError } from '../../catalogue/error-classes.ts'
import { sessionOf, setCaller } from '../../http/request-context.ts'
import { answer, refuse } from '../_guard.ts'
import type { StoredUser } from './account-store.ts'
import { type Admission, type AdmissionOptions, type Sender, tokenOf } from './admission.ts'
import type { Link } from './chains.ts'
import { ACCOUNT_PATHS } from './endpoint-paths.ts'
import { emailFault, passwordFault, refuseFields } from './field-faults.ts'
import { isPassword } from './is-password.ts'
import { hashPassword, NEW_COST } from './password-check.ts'
import { type Fields, readFields } from './read-fields.ts'
import { clearTokenCookies, cookieToken, setTokenCookies } from './tokens.ts'

export type AccountEndpoint = (req: Request, res: Response) => Promise<void>

export interface AccountEndpointsOptions extends Omit<AdmissionOptions, 'persona' | 'role'> {
  /** The first is for new users. */
  readonly roles: readonly [string, ...string[]]
  /** Fields of a user that are not the client's to choose. */
  readonly isKept: (field: string) => boolean
  readonly admission: Admission
}

export function accountEndpoints(options: AccountEndpointsOptions): ReadonlyMap<string, AccountEndpoint> {
  const { store, tokens, chains, cookies, admission, roles, isKept } = options
  return new Map(
    [
      ['POST', ACCOUNT_PATHS.register, register] as const,
      ['POST', ACCOUNT_PATHS.login, login] as const,
      ['POST', ACCOUNT_PATHS.refresh, refresh] as const,
      ['POST', ACCOUNT_PATHS.logout, logout] as const,
      ['GET', ACCOUNT_PATHS.me, showMe] as const,
      ['HEAD', ACCOUNT_PATHS.me, showMe] as const,
      ['PATCH', ACCOUNT_PATHS.me, changeMe] as const,
    ].flatMap(([method, paths, act]) => paths.map((path) => [`${method} ${path}`, act] as const)),
  )

  async function register(req: Request, res: Response): Promise<void> {
    const fields = await readFields(req, res, SENT)
    if (!fields) return
    const { email, password } = fields
    refuseFields({ email: emailFault(email), password: passwordFault(password) })
    const session = sessionOf(req)
    const [name, secret] = [String(email), String(password)]
    const own = Object.entries(fields).filter(([field]) => !DROPPED.has(field) && !isKept(field))
    const user = await inTurn(JSON.stringify([session, name.toLowerCase()]), async () => {
      // The commit decides; this spares late requests the hash.
      if (await store.find(name, session, true)) throw taken()
      const hash = await hashPassword(secret, () => !res.destroyed)
      return store.add(req, { ...Object.fromEntries(own), role: roles[0] }, [[secret, hash]])
    })
    letIn(req, res, 201, user, await chains.begin(user.password))
  }

  async function login(req: Request, res: Response): Promise<void> {
    const fields = await readFields(req, res, SENT)
    if (!fields) return
    const { email, username, password } = fields
    const name = email ?? username
    if (typeof name !== 'string' || typeof password !== 'string' || !name || !password) {
      return refuse(res, 'accounts', 'INVALID_BODY', MISSING)
    }
    const session = sessionOf(req)
    const user = await store.find(name, session, email !== undefined)
    const cost = (await store.highestCost(session)) ?? NEW_COST
    const stored = String(user?.password ?? '')
    const isRight = await isPassword(password, stored, () => !res.destroyed, cost)
    if (!user || !isRight) return refuse(res, 'accounts', 'AUTH_REQUIRED', 'Email or password is wrong.')
    letIn(req, res, 200, user, await chains.begin(user.password))
  }

  async function refresh(req: Request, res: Response): Promise<void> {
    const fields = await readFields(req, res, SENT)
    if (!fields) return
    const token = refreshTokenOf(req, fields)
    const claims = token === undefined ? 'missing' : tokens.read(req, token, 'refresh')
    if (typeof claims === 'string') return refuseRefresh(req, res, REFUSED[claims])
    const user = await store.withId(claims.subject, sessionOf(req))
    if (!user || !(await chains.isGood(claims.chain, user.password)))
      return refuseRefresh(req, res, REFUSED.ended)
    const link = await chains.next(claims)
    if (!link) return refuseRefresh(req, res, REFUSED.spent)
    letIn(req, res, 200, user, link)
  }

  async function logout(req: Request, res: Response): Promise<void> {
    const fields = await readFields(req, res, SENT)
    if (!fields) return
    const sent = [tokenOf(req), refreshTokenOf(req, fields), cookies ? cookieToken(req, 'access') : undefined]
    for (const token of sent) {
      const chain = token === undefined ? undefined : tokens.chainOf(req, token)
      if (chain !== undefined) await chains.end(chain)
    }
    if (cookies) clearTokenCookies(req, res)
    answer(res, 200, {})
  }

  async function showMe(req: Request, res: Response): Promise<void> {
    const me = await whoAsks(req, res)
    if (me) answer(res, 200, me.fields)
  }

  async function changeMe(req: Request, res: Response): Promise<void> {
    const me = await whoAsks(req, res)
    if (!me) return
    const fields = await readFields(req, res, SENT)
    if (!fields) return
    const { role = me.role } = fields
    const isRole = roles.includes(String(role)) || role === me.role
    refuseFields({ role: isRole ? undefined : `must be one of ${roles.join(', ')}` })
    if (role !== me.role && me.role !== ADMIN) {
      return refuse(res, 'accounts', 'AUTH_FORBIDDEN', 'Only a user with the role admin may change a role.')
    }
    const own = Object.fromEntries(Object.entries(fields).filter(([name]) => !isKept(name)))
    const changed = await store.change(req, String(me.id), own, (stored) => {
      return me.login && chains.expect(me.login.chain, stored)
    })
    if (!changed) return refuse(res, 'accounts', 'AUTH_REQUIRED', REFUSED.ended)
    if (me.login) await chains.keep(me.login.chain, changed.password)
    answer(res, 200, changed.fields)
  }

  /** Undefined if a refusal was sent. Users may be kept from reading their own row: that holds here, too. */
  async function whoAsks(req: Request, res: Response): Promise<Sender | undefined> {
    const admitted = await admission.admit(req, res)
    if (typeof admitted === 'object') {
      setCaller(req, { id: admitted.id, role: admitted.role })
      store.checkRead(req, admitted.fields)
      return admitted
    }
    if (admitted === 'nobody')
      refuse(
        res,
        'accounts',
        'AUTH_REQUIRED',
        'Log in with POST /login, then send "Authorization: Bearer <token>".',
      )
    return undefined
  }

  function refreshTokenOf(req: Request, { refreshToken }: Fields): string | undefined {
    if (typeof refreshToken === 'string' && refreshToken !== '') return refreshToken
    return cookies ? cookieToken(req, 'refresh') : undefined
  }

  function letIn(req: Request, res: Response, status: number, user: StoredUser, link: Link): void {
    const { id, email, role, fields } = admission.senderOf(user)
    const issued = tokens.issue(req, String(id), link, { email, role })
    if (cookies) setTokenCookies(req, res, issued)
    answer(res, status, { ...issued, user: fields })
  }

  function refuseRefresh(req: Request, res: Response, message: string): void {
    if (cookies) clearTokenCookies(req, res)
    refuse(res, 'accounts', 'AUTH_REQUIRED', message)
  }
}

const AGAIN = 'Log in again with POST /login.'

const REFUSED = {
  missing: `Send { "refreshToken": "…" }, or log in with POST /login.`,
  expired: `The refresh token has expired. ${AGAIN}`,
  forged: `This is not a refresh token of this server. ${AGAIN}`,
  elsewhere: `This token belongs to another session. ${AGAIN}`,
  ended: `This login has ended. ${AGAIN}`,
  spent: `This refresh token was used before, so the login has ended, wherever it is used. ${AGAIN}`,
} as const

const MISSING =
  'Send { "email": "…", "password": "…" }, both as non-empty strings; "username" will do as well.'

const ADMIN = 'admin'

/** A role is given, and a form may send the fields of another. */
const DROPPED: ReadonlySet<string> = new Set(['role', 'currentPassword'])

const SENT = { layer: 'accounts', kilobytes: 1024 }

function taken(): StorageError {
  const errors = { email: 'is already taken' }
  return new StorageError('NOT_UNIQUE', 'email is already taken. Nothing was changed.', { errors })
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
