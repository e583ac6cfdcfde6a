import type { JsonSchema } from './json-schema.ts'

/** The schema of a row: of one that nobody has seen yet, it is known that it will have an id. */
export function rowSchemaOf(inferred: JsonSchema, id: string): JsonSchema {
  if (inferred.type !== undefined) return inferred
  return {
    type: 'object',
    properties: Object.fromEntries([[id, ANY_ID]]),
    required: [id],
    additionalProperties: {},
  }
}

/** What the server can give out as an id. */
const ANY_ID: JsonSchema = { type: ['integer', 'string'] }

/** The schema of a row that is to be made: the server gives it an id where it brings none. */
export function newSchemaOf(schema: JsonSchema, id: string | undefined): JsonSchema {
  const { required = [], ...rest } = schema
  const needed = required.filter((field) => field !== id)
  return needed.length > 0 ? { ...rest, required: needed } : rest
}

/** The same with nothing that has to be there, for a change of some fields. */
export function patchSchemaOf({ required: _, ...rest }: JsonSchema): JsonSchema {
  return rest
}
