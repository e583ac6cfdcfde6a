import type { Clock } from '../../clock/clock.ts'
import { type OpenedSchemas, rulesOf } from '../../resources/open-resources.ts'
import type { Engine } from '../../storage/engine/engine.ts'
import { describeAccess } from '../access/open-access.ts'
import type { Config } from '../config/config.ts'
import { accountsOf } from '../config/sign-in.ts'
import { withAccounts } from './account-rules.ts'

/** Lets an engine obey what the config says of each resource, with timestamps by this clock. */
export function useRules(engine: Engine, config: Config, schemas: OpenedSchemas, clock: Clock): void {
  const now = () => clock.date()
  const accounts = accountsOf(config)
  const options = { naming: config, accounts: accounts?.collection, now }
  const rules = config.resources && rulesOf(config.resources, schemas, options)
  const access = describeAccess(config, engine.naming)
  const ownerIn = access && ((resource: string) => access(resource).owner)
  engine.useRules(withAccounts(rules, accounts, now, ownerIn))
}

/** Whether a config says anything that rows have to obey. */
export function hasRules(config: Config): boolean {
  return config.resources !== undefined || accountsOf(config) !== undefined
}
