import { ConfigError } from '../errors.ts'
import { type ResourcesSettings, resourcesSchema } from './resource-settings.ts'

/** Checks settings that a program passes. Throws a one-line ConfigError. */
export function parseResources(raw: unknown): ResourcesSettings {
  const result = resourcesSchema.safeParse(raw)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = ['resources', ...(issue?.path ?? [])].join('.')
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys : []
  throw new ConfigError(
    keys.length > 0
      ? `there is no setting "${path}.${keys.join(', ')}". Known are schema, unique, references, timestamps, ids, access and owner.`
      : `"${path}" must be ${issue?.message}.`,
  )
}
