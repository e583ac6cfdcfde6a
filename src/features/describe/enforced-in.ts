import { settingsOf, usersIn } from '../../config/resource-config.ts'
import type { Config } from '../settings.ts'
import type { Enforced } from './openapi/settings.ts'

/** The rules of the settings that writes of a resource may break. */
export function enforcedIn(config: Config): (name: string) => Enforced {
  const held = undeletable(config.resources ?? {})
  return (name) => {
    const settings = settingsOf(config, name)
    const isUsers = name === usersIn(config)
    return {
      validates:
        isUsers || settings?.schema !== undefined || Object.keys(settings?.references ?? {}).length > 0,
      isUnique: isUsers || (settings?.unique ?? []).length > 0,
      isHeldBack: held.has(name),
    }
  }
}

/** The resources whose rows cannot always be deleted: references restrict it, or it would cascade to such a resource. */
function undeletable(resources: NonNullable<Config['resources']>): ReadonlySet<string> {
  const pointers = Object.entries(resources).flatMap(([name, { references = {} }]) =>
    Object.values(references).map((reference) => ({ name, ...reference })),
  )
  const held = new Set<string>()
  for (let size = -1; size !== held.size; ) {
    size = held.size
    for (const { name, resource, onDelete } of pointers) {
      if (onDelete === 'restrict' || onDelete === 'null' || (onDelete === 'cascade' && held.has(name)))
        held.add(resource)
    }
  }
  return held
}
