import type { Request, RequestHandler } from 'express'
import { ConfigError } from '../catalogue/error-classes.ts'
import { type ClockOf, REAL_TIME, setCaller } from '../http/request-context.ts'
import type { RewriteUrl } from '../http/request-url.ts'
import { DEFAULTS } from './_defaults.ts'
import { checkLog, checkOptions, type Log } from './_guard.ts'
import { type AccountEndpoint, accountEndpoints } from './accounts/account-endpoints.ts'
import type { AccountStore } from './accounts/account-store.ts'
import { Admission, type Admitted } from './accounts/admission.ts'
import { Chains, OwnShelf, type Shelf } from './accounts/chains.ts'
import { endpointPaths } from './accounts/endpoint-paths.ts'
import { lifetimeOf, secretOf } from './accounts/signed-tokens.ts'
import { LoginTokens } from './accounts/tokens.ts'

export interface AccountsOptions {
  /**
   * The collection that holds the users.
   * @default 'users'
   */
  collection?: string
  /**
   * Lifetime of access tokens: seconds as a number, or a string with a unit.
   * @default '15m'
   */
  accessFor?: number | string
  /**
   * Lifetime of refresh tokens, each of which can be used once.
   * @default '7d'
   */
  refreshFor?: number | string
  /**
   * Also sets and reads the cookies `access_token` and `refresh_token`.
   * @default false
   */
  cookies?: boolean
  /**
   * `X-Mock-User: ada@example.com` acts as that user, without a password. For tests.
   * @default false
   */
  persona?: boolean
  /**
   * New users have the first of these roles.
   * @default ['user', 'admin']
   */
  roles?: readonly string[]
  /** Signs the tokens. By default the environment variable JWT_SECRET, or else random at each start. */
  secret?: string
}

export interface AccountsNeeds {
  readonly store: AccountStore
  readonly shelf?: Shelf | undefined
  /** Fields of a new user that are not the client's to choose. */
  readonly isKept: (field: string) => boolean
  readonly enter: RequestHandler
  readonly guard: RequestHandler
  readonly rewrite?: RewriteUrl | undefined
  readonly clockOf?: ClockOf | undefined
  /** Which session a request is part of: not its name, which a later one may have. Empty for none. */
  readonly sessionIdOf: (req: Request) => string
  readonly log?: Log | undefined
}

/** Signs people up, logs them in and out, and finds out who sends a request. Only a token that is not good is refused here. */
export function accounts(options: AccountsOptions, needs: AccountsNeeds): RequestHandler {
  checkOptions('accounts', options, [
    ...['collection', 'accessFor', 'refreshFor', 'cookies', 'persona', 'roles', 'secret'],
  ])
  const { cookies = DEFAULTS.accounts.cookies, persona = DEFAULTS.accounts.persona } = options
  const { store, enter, guard, rewrite, isKept, clockOf = REAL_TIME, sessionIdOf } = needs
  const roles = checkRoles(options.roles ?? DEFAULTS.accounts.roles)
  const tokens = new LoginTokens({
    clockOf,
    sessionIdOf,
    accessFor: lifetimeOf(options.accessFor ?? DEFAULTS.accounts.accessFor, 'accounts.accessFor'),
    refreshFor: lifetimeOf(options.refreshFor ?? DEFAULTS.accounts.refreshFor, 'accounts.refreshFor'),
    // Tokens end with the logins that they are of.
    secret: secretOf(options.secret, undefined, 'accounts.secret'),
  })
  const chains = new Chains(needs.shelf ?? new OwnShelf())
  const shared = { store, tokens, chains, cookies }
  const admission = new Admission({ ...shared, persona, role: roles[0] })
  const endpoints = accountEndpoints({ ...shared, roles, isKept, admission })
  if (persona) checkLog('accounts', needs.log)(PERSONA)

  return function accounts(req, res, next) {
    if (req.method === 'OPTIONS') return next()
    res.vary(WHO_ASKS)
    const [endpoint] = endpointPaths(req, rewrite).flatMap(
      (path) => endpoints.get(`${req.method} ${path}`) ?? [],
    )
    const go = () => (endpoint ? serve(endpoint) : admission.admit(req, res).then(pass, next))
    if (admission.isFromPage(req, endpoint !== undefined)) guard(req, res, go)
    else go()

    /** Behind the session, whose users these are. */
    function serve(answer: AccountEndpoint): void {
      enter(req, res, (error?: unknown) => {
        if (error) return next(error)
        answer(req, res).catch(next)
      })
    }

    function pass(admitted: Admitted): void {
      if (admitted === 'refused') return
      if (admitted !== 'nobody') {
        const { id, email, role, login } = admitted
        const expiresAt = login?.expiresAt
        setCaller(req, { id, role, expiresAt, isStill: () => admission.isStill(req, admitted) })
        Object.assign(req, { user: { id, email, role } })
      }
      next()
    }
  }
}

/** What tells who asks: caches on the way must not give one client the response of another. */
const WHO_ASKS = 'Authorization, Cookie, X-Mock-User'

const PERSONA =
  'accounts: X-Mock-User lets every client act as any user, without a password. Set persona to false to turn that off.'

function checkRoles(roles: unknown): readonly [string, ...string[]] {
  if (Array.isArray(roles) && roles.every((role) => typeof role === 'string' && role !== '')) {
    const [first, ...others]: string[] = roles
    if (first !== undefined) return [first, ...others]
  }
  throw new ConfigError(
    'accounts.roles must be a list of names such as ["user", "admin"]; the first is for new users',
  )
}
