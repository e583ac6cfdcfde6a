import { isSchema } from '../../json/schema-keywords.ts'
import type { JsonSchema } from '../json-schema.ts'
import { combined } from './combined.ts'

/** With the parts of `allOf` among its own, as far as that asks for the same, and their fields where a type can have them. */
export function merged(schema: JsonSchema): JsonSchema {
  const { allOf, ...own } = schema
  if (!Array.isArray(allOf)) return schema
  const apart: unknown[] = []
  const whole = allOf.reduce<JsonSchema>((so, each: unknown) => {
    const part = isSchema(each) ? merged(each) : each
    const one = isSchema(part) ? combined(so, part) : undefined
    if (one) return one
    apart.push(part)
    return isSchema(part) ? listing(so, part) : so
  }, own)
  return apart.length === 0
    ? whole
    : { ...whole, allOf: [...(Array.isArray(whole.allOf) ? whole.allOf : []), ...apart] }
}

/** Names the fields of a part as well, which changes nothing, unless it opens what is closed. */
function listing(schema: JsonSchema, { properties, required = [] }: JsonSchema): JsonSchema {
  if (schema.additionalProperties !== undefined || !properties) return schema
  return {
    ...schema,
    properties: { ...properties, ...schema.properties },
    required: [...new Set([...required, ...(schema.required ?? [])])],
  }
}
