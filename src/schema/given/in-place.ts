import { isSchema } from '../../json/schema-keywords.ts'
import type { JsonSchema } from '../json-schema.ts'

/** Keywords that hold schemas of the same value. */
const LISTS = ['allOf', 'anyOf', 'oneOf']
const SINGLES = ['if', 'then', 'else', 'not']

/** The same schema with each schema in it that is about the same value changed. */
export function inPlace(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const changed = (part: unknown) => (isSchema(part) ? change(part) : part)
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (LISTS.includes(keyword) && Array.isArray(value)) return [keyword, value.map(changed)]
      if (SINGLES.includes(keyword)) return [keyword, changed(value)]
      if (keyword !== 'dependentSchemas' || !isSchema(value)) return [keyword, value]
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, changed(part)]))]
    }),
  )
}
