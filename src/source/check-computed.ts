import type { BaseConfig } from '../config/config.ts'
import { addedIn } from '../config/resource-config.ts'
import { ownFields } from '../config/resources/open-resources.ts'
import type { Engine } from '../core/engine/engine.ts'
import { isStoredIn } from '../core/engine/rules/served-fields.ts'
import { ConfigError } from '../core/kernel/catalogue/error-classes.ts'
import type { ParsedLogic } from '../wings/logic/parse-logic.ts'

/** Refuses computed fields of what has none, and those that would take the place of a stored field. */
export function checkComputed(logic: ParsedLogic | undefined, engine: Engine, config: BaseConfig): void {
  for (const [name, { computed }] of logic?.resources ?? []) {
    const fields = Object.keys(computed)
    if (fields.length === 0) continue
    const refuse = (at: string, why: string) =>
      new ConfigError(`logic: ${logic?.name}: ${name}.computed${at}: ${why}`)
    if (engine.kindOf(name) === 'object') throw refuse('', 'only rows of collections have computed fields.')
    const added = addedIn(config, name)
    const filled = [...added.defaults, ...ownFields(added)]
    const rows = engine.database.table(name)?.rows.items() ?? []
    const taken = fields.find((field) => filled.includes(field) || rows.some((row) => isStoredIn(row, field)))
    if (taken === undefined) continue
    throw refuse(
      `.${taken}`,
      `rows of ${name} have a stored field "${taken}". Give the computed one another name, or remove the stored one.`,
    )
  }
}
