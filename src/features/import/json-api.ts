import { isObject } from '../../core/kernel/json/values.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { fieldIn, typesOf } from './envelope.ts'
import type { SchemaBook } from './schema-book.ts'

/** The row of a resource object of JSON:API, as it is stored: its id beside its attributes. Undefined if it is none. */
export function jsonApiRow(book: SchemaBook, schema: JsonSchema): JsonSchema | undefined {
  const [type, id, attributes] = ['type', 'id', 'attributes'].map((name) => fieldIn(book, schema, name))
  if (!type || !id || !attributes) return undefined
  const inner = book.shallow(attributes)
  if (!typesOf(inner).includes('object')) return undefined
  const { required = [], properties = {} } = inner
  return {
    ...inner,
    properties: { id, ...properties },
    required: ['id', ...required.filter((name) => name !== 'id')],
  }
}

/** A row of an example in JSON:API, as it is stored. */
export function flatRow(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { id, attributes } = row
  return isObject(attributes) ? { id, ...attributes } : row
}
