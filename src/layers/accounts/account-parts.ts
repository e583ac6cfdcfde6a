import type { Request } from 'express'
import type { ClockOf } from '../../http/clock-of.ts'
import type { AccountStore } from './account-store.ts'
import type { Admission } from './admission.ts'
import type { Chains } from './chains.ts'
import type { Tokens } from './tokens.ts'

/** What the endpoints of accounts work with. */
export interface AccountParts {
  readonly store: AccountStore
  readonly tokens: Tokens
  readonly chains: Chains
  readonly clockOf: ClockOf
  /** Which session a request is part of: not its name, which a later one may have. Empty for none. */
  readonly sessionIdOf: (req: Request) => string
  readonly cookies: boolean
  readonly roles: readonly [string, ...string[]]
  /** Fields of a new user that are not the client's to choose. */
  readonly isKept: (field: string) => boolean
  readonly admission: Admission
}
