import type { Request, RequestHandler, Response } from 'express'
import type { JwtPayload } from 'jsonwebtoken'
import { ThreadBusyError } from '../work/job-thread.ts'
import { DEFAULTS } from './_defaults.ts'
import { answer, bearerToken, checkLog, checkOptions, isRead, type Log, plainPath, refuse } from './_guard.ts'
import { refuseUnread } from './body/refuse-unread.ts'
import { type Account, accountSource, authenticate, profileOf } from './login/accounts.ts'
import { readCredentials } from './login/credentials.ts'
import { lifetimeOf, readToken, secretOf, signToken } from './login/signing.ts'
import { userId } from './login/user-id.ts'

export interface JwtUser {
  email: string
  /** Plain, or a bcrypt hash. */
  password: string
  /** @default 'user' */
  role?: string
  /** By default the place in the list, counted from 1. */
  id?: string | number
  /** Anything else is told to the client after login. */
  [field: string]: unknown
}

export interface JwtOptions {
  /** Who may log in. Without it, the rows of `findUsers`; without those, anybody. */
  users?: readonly JwtUser[]
  /** Rows with `email` and `password`, asked for at each login; undefined when there is no such collection. */
  findUsers?: () => readonly unknown[] | undefined
  /** Signs the tokens. By default the environment variable JWT_SECRET, else random at each start. */
  secret?: string
  /**
   * Lifetime of a token: seconds as a number, or a text with a unit like "15m", "1h", "7d".
   * @default '1h'
   */
  expiresIn?: number | string
  /** Hears what the defaults mean. The console by default. */
  log?: Log
}

/**
 * Leaves reading to everybody and lets writes through only with a token signed here.
 * `POST /login` (or `/auth/login`) with `email` and `password` gives one.
 * @example app.use(jwt({ users: [{ email: 'ada@example.com', password: 'secret' }], secret: 'change-me' }))
 */
export function jwt(options: JwtOptions = {}): RequestHandler {
  checkOptions('jwt', options, ['users', 'findUsers', 'secret', 'expiresIn', 'log'])
  const log = once(checkLog('jwt', options.log))
  const seconds = lifetimeOf(options.expiresIn ?? DEFAULTS.jwt.expiresIn)
  const findAccounts = accountSource(options.users, options.findUsers, log)
  // Behind all that may be at fault, since it may have something to say.
  const secret = secretOf(options.secret, log)
  // Asked now so that what it has to say is said at the start, and again at each login: data changes.
  findAccounts()

  return function jwt(req, res, next) {
    if (isLogin(req)) {
      login(req, res).catch((error: unknown) => {
        if (error instanceof ThreadBusyError) refuseBusy(res)
        else next(error)
      })
    } else if (isRead(req) ? recognize(req) : admit(req, res)) {
      next()
    }
  }

  /** Reading is open to everybody: a token that is no good there is as none. */
  function recognize(req: Request): true {
    const token = bearerToken(req)
    const claims = token === undefined ? undefined : readToken(token, secret)
    if (typeof claims === 'object') giveUser(req, claims)
    return true
  }

  /** Answers for itself when the token is not good enough. */
  function admit(req: Request, res: Response): boolean {
    const token = bearerToken(req)
    if (token === undefined) {
      refuseToken(res, 401, 'Log in with POST /login, then send "Authorization: Bearer <token>".')
      return false
    }
    const claims = readToken(token, secret)
    if (claims === 'expired') refuseToken(res, 401, 'The token has expired. Log in again with POST /login.')
    else if (claims === 'forged') {
      refuseToken(res, 403, 'This token was not signed here. Log in with POST /login.')
    } else {
      giveUser(req, claims)
      return true
    }
    return false
  }

  function giveUser(req: Request, { sub, email, role }: JwtPayload): void {
    const id = sub === undefined ? undefined : userId(sub, options.users ?? options.findUsers?.())
    Object.assign(req, { user: { id, email, role } })
  }

  async function login(req: Request, res: Response): Promise<void> {
    const credentials = await readCredentials(req, res)
    if (!credentials.ok) {
      const { status, body } = credentials
      const headers = status === 503 ? { 'Retry-After': '5' } : {}
      if (!req.complete) return refuseUnread(req, res, 'jwt', status, body, headers)
      res.set(headers)
      return refuse(res, 'jwt', status, body)
    }
    const { email, password, mistyped } = credentials
    if (mistyped) log('jwt: a login sent JSON without saying so; set Content-Type: application/json')

    const accounts = findAccounts()
    const account = accounts
      ? await authenticate(accounts, email, password, () => !res.destroyed)
      : anybody(email)
    if (account === undefined) return refuseToken(res, 401, 'Email or password is wrong.')

    const role = typeof account.role === 'string' ? account.role : 'user'
    const claims = { sub: String(account.id ?? email), email, role }
    const token = signToken(claims, secret, seconds)
    const user = { ...profileOf(account), role }
    answer(res, 200, { accessToken: token, token, expiresIn: seconds, user })
  }
}

function isLogin(req: Request): boolean {
  const path = plainPath(req)
  return req.method === 'POST' && LOGIN_PATHS.some((login) => path === req.baseUrl + login)
}

const LOGIN_PATHS = ['/login', '/auth/login']

function refuseToken(res: Response, status: 401 | 403, message: string): void {
  if (status === 401) refuse(res, 'jwt', 401, { error: 'Unauthorized', message, code: 'AUTH_REQUIRED' })
  else refuse(res, 'jwt', 403, { error: 'Forbidden', message, code: 'AUTH_FORBIDDEN' })
}

function refuseBusy(res: Response): void {
  res.set('Retry-After', '5')
  const message = 'Too many logins are being checked; try again in a few seconds.'
  refuse(res, 'jwt', 503, { error: 'Server busy', message, code: 'SERVER_BUSY' })
}

/** The user that the service document knows: number 1, and admin. */
function anybody(email: string): Account {
  return { id: 1, email, password: '', role: 'admin' }
}

/** A remark is worth making once, however many requests call for it. */
function once(log: Log): Log {
  const said = new Set<string>()
  return (line) => {
    if (!said.has(line)) log(line)
    said.add(line)
  }
}
