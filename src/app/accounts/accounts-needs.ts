import { ConfigError } from '../../errors.ts'
import type { ClockOf } from '../../http/clock-of.ts'
import type { AccountsNeeds } from '../../layers/accounts.ts'
import { foreignOrigin } from '../../layers/doors/foreign-origin.ts'
import type { Shared } from '../../storage/shared.ts'
import type { Config } from '../config/config.ts'
import { accountsOf } from '../config/sign-in.ts'
import { enterSession } from '../sessions/enter-session.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { type EngineAccountsOptions, engineAccounts } from './engine-accounts.ts'

export interface AccountsWiring extends Pick<EngineAccountsOptions, 'engineOf'> {
  readonly sessions: Sessions
  /** The one in effect: the layer outlives a config. */
  readonly now: () => Config
  readonly clockOf: ClockOf
  readonly log: (line: string) => void
  /** Where servers of the same data keep logins. */
  readonly shared: Shared | undefined
}

/** What the accounts layer works with. */
export function accountsNeeds(config: Config, wiring: AccountsWiring): AccountsNeeds {
  const { engineOf, sessions, now, clockOf, log } = wiring
  const collection = accountsOf(config)?.collection ?? ''
  if (engineOf(undefined).kindOf(collection) === 'object') {
    throw new ConfigError(
      `accounts.collection: "${collection}" is a single object. Name a collection, or one that is yet to be.`,
    )
  }
  return {
    store: engineAccounts({ collection, engineOf }),
    shelf: wiring.shared,
    isKept: (field) => isKept(now(), field),
    enter: enterSession(sessions),
    guard: (req, res, next) => foreignOrigin(now().trustedOrigins)(req, res, next),
    clockOf,
    log,
  }
}

/** Whether a field of a new user is not the client's to choose: the id, and whose row it is. */
function isKept(config: Config, field: string): boolean {
  const { id, foreignKeySuffix, resources } = config
  const settings: unknown = resources?.[accountsOf(config)?.collection ?? '']
  const owner: unknown = Reflect.get(Object(settings), 'owner')
  return field === id || field === `user${foreignKeySuffix}` || field === owner
}
