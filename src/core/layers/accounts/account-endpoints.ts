import type { Request, Response } from 'express'
import { StorageError } from '../../kernel/catalogue/error-classes.ts'
import type { ErrorCode } from '../../kernel/catalogue/errors.ts'
import { callers } from '../../kernel/http/request-context.ts'
import { worldOf } from '../../kernel/http/world.ts'
import { getOrMake } from '../../kernel/util/get-or-make.ts'
import { Lru } from '../../kernel/util/lru.ts'
import { Turns } from '../../kernel/util/turns.ts'
import { refuseRequest, sendUncached } from '../parts/guard.ts'
import { type Admission, type AdmissionOptions, type Sender, type StoredUser, tokenOf } from './admission.ts'
import { ACCOUNT_PATHS } from './endpoints.ts'
import {
  type BodyFields,
  credentialsIn,
  emailFault,
  passwordFault,
  readFields,
  refuseFields,
} from './fields.ts'
import type { LoginLink } from './logins.ts'
import { authenticate, hashPassword, NEW_COST, WRONG_PASSWORD } from './passwords.ts'
import { clearTokenCookies, cookieToken, setTokenCookies, TOKEN_REFUSALS } from './tokens.ts'

export type AccountEndpoint = (req: Request, res: Response) => Promise<void>

export interface AccountEndpointsOptions extends Omit<AdmissionOptions, 'persona'> {
  readonly roles: readonly string[]
  readonly isReserved: (field: string) => boolean
  readonly admission: Admission
}

export function accountEndpoints(options: AccountEndpointsOptions): ReadonlyMap<string, AccountEndpoint> {
  const { store, tokens, loginsOf, cookies, admission, role: first, roles, isReserved } = options
  return new Map(
    [
      ['POST', ACCOUNT_PATHS.register, withFields(register)] as const,
      ['POST', ACCOUNT_PATHS.login, withFields(login)] as const,
      ['POST', ACCOUNT_PATHS.refresh, withFields(refresh)] as const,
      ['POST', ACCOUNT_PATHS.logout, withFields(logout)] as const,
      ['GET', ACCOUNT_PATHS.me, showMe] as const,
      ['HEAD', ACCOUNT_PATHS.me, showMe] as const,
      ['PATCH', ACCOUNT_PATHS.me, changeMe] as const,
    ].flatMap(([method, paths, endpoint]) => paths.map((path) => [`${method} ${path}`, endpoint] as const)),
  )

  async function register(req: Request, res: Response, fields: BodyFields): Promise<void> {
    const { email, password } = fields
    refuseFields({ email: emailFault(email), password: passwordFault(password) })
    const [name, secret] = [String(email), String(password)]
    const own = Object.entries(fields).filter(([field]) => !DROPPED.has(field) && !isReserved(field))
    const turns = getOrMake(TURNS, JSON.stringify([worldOf(req).id, name.toLowerCase()]), () => new Turns())
    const user = await turns.take(async () => {
      // The commit decides; this spares late requests the hash.
      if (await store.find(name, req, true)) throw taken()
      const hash = await hashPassword(secret, () => !res.destroyed)
      return store.add(req, { ...Object.fromEntries(own), role: first }, [[secret, hash]])
    })
    respondWithTokens(req, res, 201, user, await loginsOf(req).begin(user.password))
  }

  async function login(req: Request, res: Response, fields: BodyFields): Promise<void> {
    const { email, username } = fields
    const credentials = credentialsIn(email ?? username, fields.password)
    if (!credentials) return refuseAccess(res, 'INVALID_BODY', MISSING)
    const candidate = await store.find(credentials.name, req, email !== undefined)
    const cost = (await store.highestCost(req)) ?? NEW_COST
    const user = await authenticate(res, candidate, credentials.password, cost)
    if (!user) return refuseAccess(res, 'AUTH_REQUIRED', WRONG_PASSWORD)
    respondWithTokens(req, res, 200, user, await loginsOf(req).begin(user.password))
  }

  async function refresh(req: Request, res: Response, fields: BodyFields): Promise<void> {
    const token = refreshTokenOf(req, fields)
    const claims = token === undefined ? 'missing' : tokens.readLogin(req, token, 'refresh')
    if (typeof claims === 'string') return refuseRefresh(req, res, REFUSED[claims])
    const user = await store.withId(claims.subject, req)
    if (!user || !(await loginsOf(req).isActive(claims.chain, user.password)))
      return refuseRefresh(req, res, REFUSED.ended)
    const link = await loginsOf(req).refresh(claims)
    if (!link) return refuseRefresh(req, res, REFUSED.spent)
    respondWithTokens(req, res, 200, user, link)
  }

  async function logout(req: Request, res: Response, fields: BodyFields): Promise<void> {
    const sent = [tokenOf(req), refreshTokenOf(req, fields), cookies ? cookieToken(req, 'access') : undefined]
    for (const token of sent) {
      const chain = token === undefined ? undefined : tokens.chainOf(req, token)
      if (chain !== undefined) await loginsOf(req).end(chain)
    }
    if (cookies) clearTokenCookies(req, res)
    sendUncached(res, 200, {})
  }

  async function showMe(req: Request, res: Response): Promise<void> {
    const me = await identify(req, res)
    if (me) sendUncached(res, 200, me.fields)
  }

  async function changeMe(req: Request, res: Response): Promise<void> {
    const me = await identify(req, res)
    if (!me) return
    const fields = await readFields(req, res, SENT)
    if (!fields) return
    const { role = me.role } = fields
    const isRole = [...roles, me.role].some((one) => one === role)
    refuseFields({ role: isRole ? undefined : `must be one of ${roles.join(', ')}` })
    if (role !== me.role && me.role !== ADMIN) {
      return refuseAccess(res, 'AUTH_FORBIDDEN', 'Only a user with the role admin may change a role.')
    }
    const own = Object.fromEntries(Object.entries(fields).filter(([name]) => !isReserved(name)))
    const changed = await store.change(req, String(me.id), own, (stored) => {
      return me.login && loginsOf(req).expectPassword(me.login.chain, stored)
    })
    if (!changed) return refuseAccess(res, 'AUTH_REQUIRED', REFUSED.ended)
    if (me.login) await loginsOf(req).setPassword(me.login.chain, changed.password)
    sendUncached(res, 200, changed.fields)
  }

  /** Undefined if a refusal was sent. Rules may keep users from reading their own row, here as well. */
  async function identify(req: Request, res: Response): Promise<Sender | undefined> {
    const admitted = await admission.admit(req, res)
    if (typeof admitted === 'object') {
      callers.set(req, { id: admitted.id, role: admitted.role })
      await store.checkRead(req, admitted.fields)
      return admitted
    }
    if (admitted === 'nobody') refuseAccess(res, 'AUTH_REQUIRED', TOKEN_REFUSALS.missing)
    return undefined
  }

  function refreshTokenOf(req: Request, { refreshToken }: BodyFields): string | undefined {
    if (typeof refreshToken === 'string' && refreshToken !== '') return refreshToken
    return cookies ? cookieToken(req, 'refresh') : undefined
  }

  function respondWithTokens(
    req: Request,
    res: Response,
    status: number,
    user: StoredUser,
    link: LoginLink,
  ): void {
    const { id, email, role, fields } = admission.senderOf(user)
    const issued = tokens.issue(req, String(id), link, { email, role })
    if (cookies) setTokenCookies(req, res, issued)
    sendUncached(res, status, { ...issued, user: fields })
  }

  function refuseRefresh(req: Request, res: Response, message: string): void {
    if (cookies) clearTokenCookies(req, res)
    refuseAccess(res, 'AUTH_REQUIRED', message)
  }
}

function refuseAccess(res: Response, code: ErrorCode, message: string): void {
  refuseRequest(res, 'accounts', code, message)
}

const AGAIN = 'Log in again with POST /login.'

const REFUSED = {
  missing: `Send { "refreshToken": "…" }, or log in with POST /login.`,
  expired: `The refresh token has expired. ${AGAIN}`,
  forged: `This is not a refresh token of this server. ${AGAIN}`,
  elsewhere: TOKEN_REFUSALS.elsewhere,
  ended: `This login has ended. ${AGAIN}`,
  spent: `This refresh token was used before, so the login has ended, wherever it is used. ${AGAIN}`,
} as const

const MISSING =
  'Send { "email": "…", "password": "…" }, both as non-empty strings; "username" will do as well.'

const ADMIN = 'admin'

/** New users cannot choose their role; `currentPassword` may come from a form for both. */
const DROPPED: ReadonlySet<string> = new Set(['role', 'currentPassword'])

function withFields(
  endpoint: (req: Request, res: Response, fields: BodyFields) => Promise<void>,
): AccountEndpoint {
  return async (req, res) => {
    const fields = await readFields(req, res, SENT)
    if (fields) await endpoint(req, res, fields)
  }
}

const SENT = { layer: 'accounts', kilobytes: 1024 }

function taken(): StorageError {
  const errors = { email: 'is already taken' }
  return new StorageError('NOT_UNIQUE', 'email is already taken. Nothing was changed.', { errors })
}

/** Of many requests for one email, one makes a hash: those after it wait for their turn. */
const TURNS = new Lru<string, Turns>({ limit: 1000 })
