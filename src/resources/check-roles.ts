import { ConfigError } from '../errors.ts'
import type { ResourcesSettings } from './resource-settings.ts'

/** Refuses rules for roles that no user has: they would be for nobody, and nobody would know why. */
export function checkRoles(settings: ResourcesSettings, roles: readonly string[]): void {
  for (const [name, { access }] of Object.entries(settings)) {
    if (typeof access !== 'object') continue
    for (const [action, rule] of Object.entries(access)) {
      const unknown = [rule].flat().find((who) => who?.startsWith('role:') && !roles.includes(who.slice(5)))
      if (unknown === undefined) continue
      throw new ConfigError(
        `resources.${name}.access.${action}: there is no role "${unknown.slice(5)}". The roles are ${roles.join(', ')}: ` +
          'correct the name, or add it to accounts.roles.',
      )
    }
  }
}
