import type { RequestHandler } from 'express'
import { ConfigError } from '../../catalogue/error-classes.ts'
import type { ClockOf } from '../../http/clock-of.ts'
import type { RewriteUrl } from '../../http/rewrite-url.ts'
import type { AccountsNeeds } from '../../layers/accounts.ts'
import type { Shared } from '../../storage/postgres/shared.ts'
import type { Config } from '../config/config.ts'
import { accountsOf } from '../config/sign-in.ts'
import { enterSession } from '../sessions/enter-session.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { type EngineAccountsOptions, engineAccounts } from './engine-accounts.ts'

export interface AccountsWiring
  extends Pick<EngineAccountsOptions, 'engineOf' | 'accessOf'>,
    Pick<AccountsNeeds, 'sessionIdOf'> {
  readonly sessions: Sessions
  /** The one in effect: the layer outlives a config. */
  readonly now: () => Config
  readonly guard: RequestHandler
  readonly rewrite: RewriteUrl
  readonly clockOf: ClockOf
  readonly log: (line: string) => void
  /** Where servers of the same data keep logins. */
  readonly shared: Shared | undefined
}

export function accountsNeeds(config: Config, wiring: AccountsWiring): AccountsNeeds {
  const { engineOf, accessOf, sessions, sessionIdOf, now, guard, rewrite, clockOf, log } = wiring
  const collection = accountsOf(config)?.collection ?? ''
  if (engineOf(undefined).kindOf(collection) === 'object') {
    throw new ConfigError(
      `accounts.collection: "${collection}" is a single object. Name a collection, or one that is yet to be.`,
    )
  }
  return {
    store: engineAccounts({ collection, engineOf, accessOf }),
    logins: wiring.shared,
    isReserved: (field) => isReserved(now(), field),
    enter: enterSession(sessions),
    guard,
    rewrite,
    clockOf,
    sessionIdOf,
    log,
  }
}

/** Whether a field of a new user is not the client's to choose: the id, and whose row it is. */
function isReserved(config: Config, field: string): boolean {
  const { id, foreignKeySuffix, resources } = config
  const settings: unknown = resources?.[accountsOf(config)?.collection ?? '']
  const owner: unknown = Reflect.get(Object(settings), 'owner')
  return field === id || field === `user${foreignKeySuffix}` || field === owner
}
