import type { Request, RequestHandler, Response } from 'express'
import type { JwtPayload } from 'jsonwebtoken'
import { exposeTo } from '../http/headers.ts'
import { type ClockOf, REAL_TIME, sessionOf } from '../http/request-context.ts'
import type { RewriteUrl } from '../http/request-url.ts'
import { JobError } from '../util/job-thread.ts'
import { DEFAULTS } from './_defaults.ts'
import { answer, bearerToken, checkLog, checkOptions, isRead, type Log, refuse } from './_guard.ts'
import {
  type Account,
  accountSource,
  authenticate,
  LOOKED_AT,
  profileOf,
  userId,
} from './accounts/account-source.ts'
import { endpointPaths, JWT_LOGIN_PATHS } from './accounts/endpoint-paths.ts'
import { readFields } from './accounts/read-fields.ts'
import { lifetimeOf, SignedTokens, secretOf, type TokenFault } from './accounts/signed-tokens.ts'

export interface JwtUser {
  email: string
  /** Plain, or a bcrypt hash. */
  password: string
  /** @default 'user' */
  role?: string
  /** By default the position in the list, counted from 1. */
  id?: string | number
  /** Any other field is sent to the client after login. */
  [field: string]: unknown
}

type Users = readonly unknown[] | undefined

export interface JwtOptions {
  /** Who may log in. By default, the rows of `findUsers`; without those, anyone. */
  users?: readonly JwtUser[]
  /**
   * Returns rows with `email` and `password`, called at each login; undefined if there is no such collection.
   * @param most the first so many are enough
   * @param session the name of the session that the request belongs to
   */
  findUsers?: (most?: number, session?: string) => Users | Promise<Users>
  /** Signs the tokens. By default the environment variable JWT_SECRET, or else random at each start. */
  secret?: string
  /**
   * Token lifetime: seconds as a number, or a string with a unit such as "15m", "1h", "7d".
   * @default '1h'
   */
  expiresIn?: number | string
  /** Receives warnings about what the defaults mean. The console by default. */
  log?: Log
  /** The clock that each request is judged by. @internal */
  clockOf?: ClockOf
  /** What rewrite rules behind this layer make of a URL. @internal */
  rewrite?: RewriteUrl
  /** Which session a request is part of: not its name, which a later one may have. Empty for none. @internal */
  sessionIdOf?: (req: Request) => string
}

/**
 * Lets everyone read, and lets writes through only with a token signed by this server.
 * `POST /login` (or `/auth/login`) with `email` and `password` returns one.
 * @example app.use(jwt({ users: [{ email: 'ada@example.com', password: 'secret' }], secret: 'change-me' }))
 */
export function jwt(options: JwtOptions = {}): RequestHandler {
  checkOptions('jwt', options, [
    ...['users', 'findUsers', 'secret', 'expiresIn', 'log', 'clockOf'],
    ...['sessionIdOf', 'rewrite'],
  ])
  const log = once(checkLog('jwt', options.log))
  const seconds = lifetimeOf(options.expiresIn ?? DEFAULTS.jwt.expiresIn)
  const findAccounts = accountSource(options.users, options.findUsers, log)
  // After all checks that may throw, since it may log a warning.
  const secret = secretOf(options.secret, log)
  const { clockOf = REAL_TIME, sessionIdOf = (req) => sessionOf(req) ?? '', rewrite } = options
  const tokens = new SignedTokens({ secret, clockOf, sessionIdOf })
  // Called now so that its warnings come at startup; called again at each login, because data changes.
  const asked = findAccounts()
  if (asked instanceof Promise)
    asked.catch((error: unknown) => log(`jwt: the users cannot be read (${error})`))

  return function jwt(req, res, next) {
    if (isLogin(req, rewrite)) {
      login(req, res).catch((error: unknown) => {
        if (error instanceof JobError && error.fault !== 'died') refuseBusy(req, res)
        else next(error)
      })
      return
    }
    const token = bearerToken(req)
    const claims = token === undefined ? 'missing' : tokens.read(req, token)
    if (typeof claims === 'object') {
      const given = giveUser(req, claims)
      if (given instanceof Promise) given.then(() => next(), next)
      else next()
    }
    // Reads are open to everyone: an invalid token counts as none.
    else if (isRead(req)) next()
    else if (claims === 'forged') refuse(res, 'jwt', 'AUTH_FORBIDDEN', REFUSED.forged)
    else refuse(res, 'jwt', 'AUTH_REQUIRED', REFUSED[claims])
  }

  function giveUser(req: Request, { sub, email, role }: JwtPayload): void | Promise<void> {
    const give = (users?: Users): void => {
      const id = sub === undefined ? undefined : userId(sub, users)
      Object.assign(req, { user: { id, email, role } })
    }
    const users =
      sub === undefined ? undefined : (options.users ?? options.findUsers?.(LOOKED_AT, sessionOf(req)))
    return users instanceof Promise ? users.then(give) : give(users)
  }

  async function login(req: Request, res: Response): Promise<void> {
    const fields = await readFields(req, res, {
      layer: 'jwt',
      kilobytes: 10,
      onMistyped: () => log(MISTYPED),
    })
    if (!fields) return
    const { email, password } = fields
    if (typeof email !== 'string' || typeof password !== 'string' || !email || !password) {
      return refuse(res, 'jwt', 'INVALID_BODY', MISSING)
    }
    const accounts = await findAccounts(sessionOf(req))
    const account = accounts
      ? await authenticate(accounts, email, password, () => !res.destroyed)
      : anybody(email)
    if (account === undefined) return refuse(res, 'jwt', 'AUTH_REQUIRED', 'Email or password is wrong.')

    const role = typeof account.role === 'string' ? account.role : 'user'
    const token = tokens.sign(req, { sub: String(account.id ?? email), email, role }, seconds)
    const user = { ...profileOf(account), role }
    answer(res, 200, { accessToken: token, token, expiresIn: seconds, user })
  }
}

function isLogin(req: Request, rewrite: RewriteUrl | undefined): boolean {
  return req.method === 'POST' && endpointPaths(req, rewrite).some((path) => LOGIN_PATHS.has(path))
}

const LOGIN_PATHS: ReadonlySet<string> = new Set(JWT_LOGIN_PATHS)

const REFUSED: Readonly<Record<TokenFault | 'missing', string>> = {
  missing: 'Log in with POST /login, then send "Authorization: Bearer <token>".',
  expired: 'The token has expired. Log in again with POST /login.',
  forged: 'This token was not issued by this server. Log in with POST /login.',
  elsewhere: 'This token belongs to another session. Log in again with POST /login.',
}

const MISTYPED = 'jwt: a login sent JSON under another content type; set Content-Type: application/json'

const MISSING = 'Send { "email": "…", "password": "…" }, both as non-empty strings.'

function refuseBusy(req: Request, res: Response): void {
  res.set('Retry-After', '5')
  exposeTo(req, res, ['Retry-After'])
  refuse(res, 'jwt', 'SERVER_BUSY', 'Too many logins are in progress; try again in a few seconds.')
}

function anybody(email: string): Account {
  return { id: 1, email, password: '', role: 'admin' }
}

function once(log: Log): Log {
  const said = new Set<string>()
  return (line) => {
    if (!said.has(line)) log(line)
    said.add(line)
  }
}
