import { attempt } from '../util/attempt.ts'

/** The `pattern` of a schema, in Unicode mode where it is valid there. V8 runs it: the schema is the user's own. */
export function schemaPattern(pattern: string): RegExp {
  return attempt(() => new RegExp(pattern, 'u')) ?? new RegExp(pattern)
}
