import type { Request, Response } from 'express'
import { sessionOf } from '../../http/session-of.ts'
import { noteViewer } from '../../http/viewer-of.ts'
import { answer, refuse, refuseBody } from '../_guard.ts'
import { parseJsonBody } from '../body/json-body.ts'
import { ACCOUNT_PATHS } from '../login/endpoint-paths.ts'
import { isPassword } from '../login/is-password.ts'
import { NEW_COST } from '../login/password-check.ts'
import { readSent, refusal } from '../login/read-sent.ts'
import type { StoredUser, UserFields } from './account-store.ts'
import { type Sender, tokenOf } from './admission.ts'
import type { Link } from './chains.ts'
import { clearTokenCookies, cookieToken, setTokenCookies } from './tokens.ts'
import { type AccountParts, addUser, changeProfile } from './users.ts'

export type AccountEndpoint = (req: Request, res: Response) => Promise<void>

export function accountEndpoints(parts: AccountParts): ReadonlyMap<string, AccountEndpoint> {
  const { store, tokens, chains, clockOf, sessionIdOf, cookies, admission } = parts
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
    const fields = await readFields(req, res)
    if (!fields) return
    const user = await addUser(req, res, fields, parts)
    letIn(req, res, 201, user, await chains.begin(user.password))
  }

  async function login(req: Request, res: Response): Promise<void> {
    const fields = await readFields(req, res)
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
    if (!user || !isRight) return refuse401(res, 'Email or password is wrong.')
    letIn(req, res, 200, user, await chains.begin(user.password))
  }

  async function refresh(req: Request, res: Response): Promise<void> {
    const fields = await readFields(req, res)
    if (!fields) return
    const token = refreshTokenOf(req, fields)
    const claims = token === undefined ? 'missing' : tokens.read(token, 'refresh', clockOf(req).now())
    if (typeof claims === 'string') return refuseRefresh(req, res, REFUSED[claims])
    if (claims.session !== sessionIdOf(req)) return refuseRefresh(req, res, REFUSED.elsewhere)
    const user = await store.withId(claims.subject, sessionOf(req))
    if (!user || !(await chains.isGood(claims.chain, user.password)))
      return refuseRefresh(req, res, REFUSED.ended)
    const link = await chains.next(claims)
    if (!link) return refuseRefresh(req, res, REFUSED.spent)
    letIn(req, res, 200, user, link)
  }

  async function logout(req: Request, res: Response): Promise<void> {
    const fields = await readFields(req, res)
    if (!fields) return
    const sent = [tokenOf(req), refreshTokenOf(req, fields), cookies ? cookieToken(req, 'access') : undefined]
    for (const token of sent) {
      const claims = token === undefined ? undefined : tokens.chainOf(token)
      if (claims && claims.session === sessionIdOf(req)) await chains.end(claims.chain)
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
    const fields = await readFields(req, res)
    if (!fields) return
    const changed = await changeProfile(req, res, me, fields, parts)
    if (changed === 'refused') return
    if (!changed) return refuse401(res, REFUSED.ended)
    if (me.login) await chains.keep(me.login.chain, changed.password)
    answer(res, 200, changed.fields)
  }

  /** Undefined if a refusal was sent. Users may be kept from reading their own row: that holds here, too. */
  async function whoAsks(req: Request, res: Response): Promise<Sender | undefined> {
    const admitted = await admission.admit(req, res)
    if (typeof admitted === 'object') {
      noteViewer(req, { id: admitted.id, role: admitted.role })
      store.checkRead(req, admitted.fields)
      return admitted
    }
    if (admitted === 'nobody')
      refuse401(res, 'Log in with POST /login, then send "Authorization: Bearer <token>".')
    return undefined
  }

  function refreshTokenOf(req: Request, { refreshToken }: UserFields): string | undefined {
    if (typeof refreshToken === 'string' && refreshToken !== '') return refreshToken
    return cookies ? cookieToken(req, 'refresh') : undefined
  }

  function letIn(req: Request, res: Response, status: number, user: StoredUser, link: Link): void {
    const { id, email, role, fields } = admission.senderOf(user)
    const claims = { subject: String(id), session: sessionIdOf(req), ...link }
    const issued = tokens.issue(claims, { email, role }, clockOf(req).now())
    if (cookies) setTokenCookies(req, res, issued)
    answer(res, status, { ...issued, user: fields })
  }

  function refuseRefresh(req: Request, res: Response, message: string): void {
    if (cookies) clearTokenCookies(req, res)
    refuse401(res, message)
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

function refuse401(res: Response, message: string): void {
  refuse(res, 'accounts', 'AUTH_REQUIRED', message)
}

const LIMIT = 1024 * 1024

/** The fields that a client sent, none if there is no body; undefined if a refusal was sent. */
async function readFields(req: Request, res: Response): Promise<UserFields | undefined> {
  const sent = await readSent(req, res, {
    limit: LIMIT,
    tooLarge: 'This request may not exceed 1 MB.',
    parse: parseJsonBody,
    malformed: () => NO_OBJECT,
  })
  const value = sent.ok ? (sent.value ?? {}) : undefined
  if (isFields(value)) return value
  const { status, body } = sent.ok ? NO_OBJECT : sent
  refuseBody(req, res, 'accounts', status, body)
  return undefined
}

const NO_OBJECT = refusal(
  'INVALID_BODY',
  'The body must be a JSON object, such as { "email": "…", "password": "…" }.',
)

function isFields(value: unknown): value is UserFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
