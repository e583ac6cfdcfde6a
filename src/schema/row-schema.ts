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

/** The schema of a new row: the server generates the id if it is missing. */
export function newSchemaOf(schema: JsonSchema, id: string | undefined): JsonSchema {
  const { required = [], ...rest } = schema
  const needed = required.filter((field) => field !== id)
  return needed.length > 0 ? { ...rest, required: needed } : rest
}

/** The same with nothing required, for PATCH. */
export function patchSchemaOf({ required: _, ...rest }: JsonSchema): JsonSchema {
  return rest
}
