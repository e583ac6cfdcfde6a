import type { Request, RequestHandler } from 'express'
import { callers } from '../kernel/http/request-context.ts'
import type { RewriteUrl } from '../kernel/http/request-url.ts'
import { type WorldState, worldOf } from '../kernel/http/world.ts'
import { type AccountEndpoint, accountEndpoints } from './accounts/account-endpoints.ts'
import { type AccountStore, Admission, type Admitted } from './accounts/admission.ts'
import { endpointPaths } from './accounts/endpoints.ts'
import { type LoginStore, Logins, MemoryLoginStore } from './accounts/logins.ts'
import { LoginTokens, lifetimeOf, secretOf } from './accounts/tokens.ts'
import { DEFAULTS, type Log } from './parts/options.ts'

export interface AccountsOptions {
  /** The collection that holds the users. @default 'users' */
  collection?: string
  /** Lifetime of access tokens: seconds as a number, or a string with a unit. @default '15m' */
  accessFor?: number | string
  /** Lifetime of refresh tokens, each of which can be used once. @default '7d' */
  refreshFor?: number | string
  /** Also sets and reads the cookies `access_token` and `refresh_token`. @default false */
  cookies?: boolean
  /**
   * `X-Mock-User: ada@example.com` acts as that user, without a password. For tests.
   * @default false
   */
  persona?: boolean
  /** New users have the first of these roles. @default ['user', 'admin'] */
  roles?: readonly string[]
  /** Signs the tokens. By default the environment variable JWT_SECRET, or else random at each start. */
  secret?: string
}

export interface AccountsNeeds {
  readonly store: AccountStore
  readonly logins?: LoginStore | undefined
  /** Whether clients may not choose this field of a new user. */
  readonly isReserved: (field: string) => boolean
  readonly enter: RequestHandler
  readonly guard: RequestHandler
  readonly rewrite: RewriteUrl
  readonly log: Log
}

/** Registers users, logs them in and out, and identifies the sender of a request. Refuses only invalid tokens. */
export function accounts(set: AccountsOptions, needs: AccountsNeeds): RequestHandler {
  const options = { ...DEFAULTS.accounts, ...set }
  const { cookies, persona } = options
  const { store, enter, guard, rewrite, isReserved } = needs
  const { roles } = options
  const [role = ''] = roles
  const tokens = new LoginTokens({
    accessFor: lifetimeOf('accounts.accessFor', options.accessFor),
    refreshFor: lifetimeOf('accounts.refreshFor', options.refreshFor),
    secret: secretOf('accounts.secret', options.secret),
  })
  const logins: WorldState<Logins> = {
    base: new Logins(needs.logins ?? new MemoryLoginStore()),
    // Those of another world end with it.
    fork: () => new Logins(new MemoryLoginStore()),
  }
  const loginsOf = (req: Request) => worldOf(req).of(logins)
  const shared = { store, tokens, loginsOf, cookies, role }
  const admission = new Admission({ ...shared, persona })
  const endpoints = accountEndpoints({ ...shared, roles, isReserved, admission })
  if (persona) needs.log(PERSONA)

  return function accounts(req, res, next) {
    if (req.method === 'OPTIONS') return next()
    res.vary(IDENTITY)
    const [endpoint] = endpointPaths(req, rewrite).flatMap(
      (path) => endpoints.get(`${req.method} ${path}`) ?? [],
    )
    const go = () => (endpoint ? serve(endpoint) : admission.admit(req, res).then(pass, next))
    if (admission.isFromPage(req, endpoint !== undefined)) guard(req, res, go)
    else go()

    function serve(respond: AccountEndpoint): void {
      enter(req, res, (error?: unknown) => {
        if (error) return next(error)
        respond(req, res).catch(next)
      })
    }

    function pass(admitted: Admitted): void {
      if (admitted === 'refused') return
      if (admitted !== 'nobody') {
        const { id, email, role, login } = admitted
        const expiresAt = login?.expiresAt
        callers.set(req, { id, role, expiresAt, isStill: () => admission.isStill(req, admitted) })
        Object.assign(req, { user: { id, email, role } })
      }
      next()
    }
  }
}

/** Caches must not give one client the response of another. */
const IDENTITY = 'Authorization, Cookie, X-Mock-User'

const PERSONA =
  'accounts: X-Mock-User lets every client act as any user, without a password. Set persona to false to turn that off.'
