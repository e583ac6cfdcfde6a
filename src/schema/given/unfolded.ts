import type { JsonSchema } from '../json-schema.ts'
import { beside } from './combined.ts'
import { inPlace } from './in-place.ts'

/** A schema with its definitions in the place of references to them, where they are about the value itself. */
export function unfolded(
  schema: JsonSchema,
  $defs: Readonly<Record<string, JsonSchema>>,
  path: readonly string[] = [],
): JsonSchema {
  const { $ref, ...own } = schema
  const name = $ref?.replace('#/$defs/', '')
  const found = name !== undefined && !path.includes(name) ? $defs[name] : undefined
  const deeper = name === undefined ? path : [...path, name]
  const whole = found ? beside(own, unfolded(found, $defs, deeper)) : schema
  return inPlace(whole, (part) => unfolded(part, $defs, deeper))
}
