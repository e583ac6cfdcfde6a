import type { JsonSchema } from './json-schema.ts'

/** The schema of a row. If there are no rows yet, all that is known is the id. */
export function rowSchemaOf(inferred: JsonSchema, id: string): JsonSchema {
  if (inferred.type !== undefined) return inferred
  return {
    type: 'object',
    properties: Object.fromEntries([[id, ANY_ID]]),
    required: [id],
    additionalProperties: {},
  }
}

/** What the server can generate as an id. */
const ANY_ID: JsonSchema = { type: ['integer', 'string'] }
