import { emailFault } from '../../layers/accounts/fields.ts'
import type { AccessControl } from '../../resources/access.ts'
import { type OpenedSchemas, rulesOf } from '../../resources/open-resources.ts'
import type { Engine } from '../../storage/engine/engine.ts'
import type { Computed, FieldFault, Rules } from '../../storage/resource-rules.ts'
import type { Row } from '../../storage/types.ts'
import type { Clock } from '../../util/clock.ts'
import type { Config } from '../config/config.ts'
import { CURRENT_PASSWORD, PASSWORD, usersIn } from '../config/resource-config.ts'
import { accessIn } from './client-access.ts'

const EMAIL = 'email'

const LOGINS: readonly string[] = [EMAIL, 'username']

export function withAccounts(
  rules: Rules | undefined,
  users: string | undefined,
  now: () => Date,
  parents: ReturnType<AccessControl['parents']> = new Map(),
): Rules | undefined {
  if (users === undefined) return rules
  const resources = new Map(rules?.resources)
  for (const [name, keysIn] of parents) resources.set(name, { ...resources.get(name), keysIn })
  resources.set(users, {
    ...resources.get(users),
    hidden: [PASSWORD],
    unstored: [CURRENT_PASSWORD],
    uniqueInAnyCase: LOGINS,
    faultsOf: emailFaults,
  })
  return { now, ...rules, resources }
}

/** A changed email must be an email address. Only a write of the whole row may leave it out. */
function emailFaults(row: Row, old: Row | undefined, isWhole: boolean): readonly FieldFault[] {
  if (isWhole && !Object.hasOwn(row, EMAIL)) return []
  const [next, before] = [row, old ?? {}].map((one) => (Object.hasOwn(one, EMAIL) ? one[EMAIL] : undefined))
  const message = next === before ? undefined : emailFault(next)
  return message === undefined ? [] : [{ path: EMAIL, message }]
}

export function useRules(
  engine: Engine,
  config: Config,
  schemas: OpenedSchemas,
  clock: Clock,
  computed: ReadonlyMap<string, Computed> = new Map(),
): void {
  const now = () => clock.date()
  const accounts = usersIn(config)
  const options = { naming: config, accounts, now }
  const rules = config.resources && rulesOf(config.resources, schemas, options)
  const parents = accessIn(config, engine.naming)?.parents()
  engine.useRules(addComputed(withAccounts(rules, accounts, now, parents), computed, now))
}

function addComputed(
  rules: Rules | undefined,
  computed: ReadonlyMap<string, Computed>,
  now: () => Date,
): Rules | undefined {
  if (computed.size === 0) return rules
  const resources = new Map(rules?.resources)
  for (const [name, fields] of computed) resources.set(name, { ...resources.get(name), computed: fields })
  return { now, ...rules, resources }
}

export function hasRules(config: Config): boolean {
  return config.resources !== undefined || usersIn(config) !== undefined
}
