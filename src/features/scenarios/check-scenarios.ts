import type { BaseConfig } from '../../config/config.ts'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import { isPostgres } from '../../stores/postgres/address.ts'
import { namesIn, unknownIn } from './names.ts'
import type { ScenariosConfig } from './settings.ts'

/** Refuses scenarios that cannot work. A base that begins with one is not saved. */
export function checkScenarios<C extends BaseConfig & ScenariosConfig>(config: C): C {
  const { scenarios = {}, scenario, middlewares, layers, source } = config
  const hasPersonas = middlewares.includes('accounts') && layers.accounts?.persona === true
  for (const [name, { user }] of Object.entries(scenarios)) {
    if (user === undefined || hasPersonas) continue
    throw new ConfigError(
      `"scenarios.${name}.user" needs users to act as. Add "accounts" to "middlewares", and set "accounts": { "persona": true }.`,
    )
  }
  if (scenario === undefined) return config
  const unknown = unknownIn(namesIn(scenario), Object.keys(scenarios))
  if (unknown !== undefined) throw new ConfigError(`"scenario": ${unknown}`)
  if (isPostgres(source)) {
    throw new ConfigError(
      '"scenario" begins without saving, and changes to a database are always saved. Remove it, and name the scenario in X-Mock-Scenario.',
    )
  }
  return Object.freeze({ ...config, persist: false })
}
