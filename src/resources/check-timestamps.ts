import { ConfigError } from '../errors.ts'
import type { Naming } from '../storage/types.ts'
import type { ResourcesSettings } from './resource-settings.ts'

/** Refuses timestamps in a field that means something else: each write would change what that says. */
export function checkTimestamps(settings: ResourcesSettings, { id }: Naming): void {
  for (const [name, { timestamps, owner }] of Object.entries(settings)) {
    if (typeof timestamps !== 'object') continue
    const [created, updated] = timestamps
    const refuse = (why: string) => new ConfigError(`resources.${name}.timestamps: ${why}`)
    if (created === updated) throw refuse(`both fields are called "${created}". Name two different ones.`)
    if (timestamps.includes(id)) throw refuse(`"${id}" is the primary key. Name another field.`)
    if (owner !== undefined && timestamps.includes(owner))
      throw refuse(`"${owner}" is the owner of a row. Name another field.`)
  }
}
