import type { Request, RequestHandler, Response } from 'express'
import type { JwtPayload } from 'jsonwebtoken'
import { setRetryAfter } from '../kernel/http/headers.ts'
import type { RewriteUrl } from '../kernel/http/request-url.ts'
import { JobError } from '../kernel/util/job-thread.ts'
import { endpointPaths, JWT_LOGIN_PATHS } from './accounts/endpoints.ts'
import { credentialsIn, readFields } from './accounts/fields.ts'
import { type Account, accountSource, MOST_SEARCHED, userId } from './accounts/jwt-users.ts'
import { authenticate, highestCost, WRONG_PASSWORD } from './accounts/passwords.ts'
import { lifetimeOf, SignedTokens, secretOf, TOKEN_REFUSALS, type TokenFault } from './accounts/tokens.ts'
import { bearerToken, isRead, refuseRequest, sendUncached } from './parts/guard.ts'
import { checkOptions } from './parts/option-types.ts'
import { DEFAULTS, type Log, logOnce, warn } from './parts/options.ts'

export interface JwtUser {
  email: string
  /** Plain, or a bcrypt hash. */
  password: string | number
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
   * @param req the request that the login is for; undefined at the start
   */
  findUsers?: (most?: number, req?: Request) => Users | Promise<Users>
  /** Signs the tokens. By default the environment variable JWT_SECRET, or else random at each start. */
  secret?: string
  /** Token lifetime: seconds as a number, or a string with a unit such as "15m", "1h", "7d". @default '1h' */
  expiresIn?: number | string
  /** Receives warnings about the defaults. The console by default. */
  log?: Log
  /** Rewrites a URL as the rules behind this layer do. @internal */
  rewrite?: RewriteUrl
}

/**
 * Lets everyone read, and lets writes through only with a token signed by this server.
 * `POST /login` (or `/auth/login`) with `email` and `password` returns one.
 * @example app.use(jwt({ users: [{ email: 'ada@example.com', password: 'secret' }], secret: 'change-me' }))
 */
export function jwt(options: JwtOptions = {}): RequestHandler {
  checkOptions('jwt', options)
  const log = logOnce(options.log ?? warn)
  const seconds = lifetimeOf('jwt.expiresIn', options.expiresIn ?? DEFAULTS.jwt.expiresIn)
  const findAccounts = accountSource(options, log)
  // After all checks that may throw, since it may log a warning.
  const secret = secretOf('jwt.secret', options.secret, log)
  const { rewrite } = options
  const tokens = new SignedTokens({ secret })
  // Called now so that its warnings come at startup; called again at each login, because data changes.
  const atStart = findAccounts()
  if (atStart instanceof Promise)
    atStart.catch((error: unknown) => log(`jwt: the users cannot be read (${error})`))

  return function jwt(req, res, next) {
    const isLogin = req.method === 'POST' && endpointPaths(req, rewrite).some((path) => LOGIN_PATHS.has(path))
    if (isLogin) {
      login(req, res).catch((error: unknown) => {
        if (error instanceof JobError && error.fault !== 'died') refuseBusy(req, res)
        else next(error)
      })
      return
    }
    const token = bearerToken(req)
    const claims = token === undefined ? 'missing' : tokens.read(req, token)
    if (typeof claims === 'object') setUser(req, claims).then(() => next(), next)
    // Reads are open to everyone: an invalid token counts as none.
    else if (isRead(req)) next()
    else if (claims === 'forged') refuseRequest(res, 'jwt', 'AUTH_FORBIDDEN', REFUSED.forged)
    else refuseRequest(res, 'jwt', 'AUTH_REQUIRED', REFUSED[claims])
  }

  async function setUser(req: Request, { sub, email, role }: JwtPayload): Promise<void> {
    const find = () => options.users ?? options.findUsers?.(MOST_SEARCHED, req)
    const id = sub === undefined ? undefined : userId(sub, await find())
    Object.assign(req, { user: { id, email, role } })
  }

  async function login(req: Request, res: Response): Promise<void> {
    const fields = await readFields(req, res, {
      layer: 'jwt',
      kilobytes: 10,
      onMistyped: () => log(MISTYPED),
    })
    if (!fields) return
    const credentials = credentialsIn(fields.email, fields.password)
    if (!credentials) return refuseRequest(res, 'jwt', 'INVALID_BODY', MISSING)
    const { name: email, password } = credentials
    const accounts = await findAccounts(req)
    const account = accounts
      ? await findAccount(accounts, email, password, res)
      : { id: 1, email, password: '', role: 'admin' }
    if (!account) return refuseRequest(res, 'jwt', 'AUTH_REQUIRED', WRONG_PASSWORD)
    const role = typeof account.role === 'string' ? account.role : 'user'
    const token = tokens.sign(req, { sub: String(account.id ?? email), email, role }, seconds)
    const { password: _, ...profile } = account
    const user = { ...profile, role }
    sendUncached(res, 200, { accessToken: token, token, expiresIn: seconds, user })
  }
}

const LOGIN_PATHS: ReadonlySet<string> = new Set(JWT_LOGIN_PATHS)

const REFUSED: Readonly<Record<TokenFault | 'missing', string>> = {
  ...TOKEN_REFUSALS,
  expired: 'The token has expired. Log in again with POST /login.',
}

const MISTYPED = 'jwt: a login sent JSON under another content type; set Content-Type: application/json'

const MISSING = 'Send { "email": "…", "password": "…" }, both as non-empty strings.'

function refuseBusy(req: Request, res: Response): void {
  setRetryAfter(req, res)
  refuseRequest(res, 'jwt', 'SERVER_BUSY', 'Too many logins are in progress; try again in a few seconds.')
}

function findAccount(accounts: readonly Account[], email: string, password: string, res: Response) {
  const account = accounts.find((candidate) => candidate.email === email)
  return authenticate(res, account, password, highestCost(accounts.map((one) => String(one.password))))
}
