import { accessIn } from '../config/access-in.ts'
import type { BaseConfig } from '../config/config.ts'
import { namingOf } from '../config/naming-of.ts'
import { CURRENT_PASSWORD, PASSWORD, usersIn } from '../config/resource-config.ts'
import { type OpenedSchemas, rulesOf } from '../config/resources/open-resources.ts'
import type { Engine } from '../core/engine/engine.ts'
import type { Computed, FieldFault, ResourceRules } from '../core/engine/resource-rules.ts'
import type { Row } from '../core/engine/types.ts'
import type { Clock } from '../core/kernel/util/clock.ts'
import { emailFault } from '../core/layers/accounts/fields.ts'

const EMAIL = 'email'

/** Rules of users, whatever the settings say. */
const OF_USERS: ResourceRules = {
  hidden: [PASSWORD],
  unstored: [CURRENT_PASSWORD],
  uniqueInAnyCase: [EMAIL, 'username'],
  faultsOf: emailFaults,
}

/** Hides passwords until `useRules` is called: logins may already read the data. */
export async function hidePasswords(engine: Engine, config: BaseConfig, now: () => Date): Promise<void> {
  const users = usersIn(config)
  if (users === undefined) return
  const { ids = new Map<string, string>() } = namingOf(config)
  const resources = new Map<string, ResourceRules>([...ids].map(([name, id]) => [name, { id }]))
  resources.set(users, { ...OF_USERS, id: ids.get(users) })
  await engine.useRules({ now, resources })
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
  config: BaseConfig,
  schemas: OpenedSchemas,
  clock: Clock,
  computed: ReadonlyMap<string, Computed> = new Map(),
): Promise<void> {
  const accounts = usersIn(config)
  const naming = namingOf(config)
  const resources = new Map(rulesOf(config.resources ?? {}, schemas, { naming, accounts }).resources)
  const add = (name: string, more: ResourceRules) => resources.set(name, { ...resources.get(name), ...more })
  for (const [name, keysIn] of accessIn(config, engine.naming)?.parents() ?? []) add(name, { keysIn })
  if (accounts !== undefined) add(accounts, OF_USERS)
  for (const [name, fields] of computed) add(name, { computed: fields })
  return engine.useRules(resources.size === 0 ? undefined : { resources, now: () => clock.date() })
}
