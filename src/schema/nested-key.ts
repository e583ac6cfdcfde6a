import type { ResourceModel } from './api-model.ts'
import type { JsonSchema } from './json-schema.ts'

/**
 * The foreign key of a row that is created below its parent, where that is another than in other rows: text, as it is in
 * the path. Undefined where it is not: keys are text, or a schema asks for something else.
 */
export function nestedKey({ schema, named }: ResourceModel, field: string): JsonSchema | undefined {
  const known = schema.properties?.[field] ?? {}
  if (named.has(field) || known.type === 'string' || known.type === undefined) return undefined
  const { description, 'x-references': references } = known
  return {
    type: 'string',
    ...(description !== undefined && { description }),
    ...(references !== undefined && { 'x-references': references }),
  }
}
