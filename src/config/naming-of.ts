import type { Naming } from '../core/engine/types.ts'
import type { BaseConfig } from './config.ts'

/** The names of ids and keys that the settings give. */
export function namingOf({ id, foreignKeySuffix, resources = {} }: BaseConfig): Naming {
  const own = Object.entries(resources).flatMap(([name, each]) =>
    each.id === undefined ? [] : [[name, each.id] as const],
  )
  return { id, foreignKeySuffix, ids: new Map(own) }
}
