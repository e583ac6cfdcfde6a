import type { Row } from '../../core/engine/types.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import type { Wrapped } from './envelope.ts'
import type { Resource } from './find-resources.ts'
import { flatRow } from './json-api.ts'
import type { SchemaBook } from './schema-book.ts'

/** The rows that a description gives as examples: of the list, of the item, then of the schema. */
export function examplesOf(
  { list, item, row, operations, isJsonApi, kind }: Resource,
  book: SchemaBook,
): readonly Row[] {
  const given = (wrapped: Wrapped | undefined) => {
    const operation = operations.find(({ place }) => place === wrapped?.place)
    return wrapped ? [...(operation?.response?.examples ?? []), ...written(book, wrapped.around)] : []
  }
  const lists = given(list).flatMap((value) => inside(value, list?.path ?? []))
  const items = given(item).flatMap((value) => inside(value, item?.path ?? []))
  const rows = [...lists.flat(), ...items, ...written(book, row)].filter(isObject)
  return (kind === 'object' ? rows.slice(0, 1) : rows).map((each) => (isJsonApi ? flatRow(each) : each))
}

/** Examples of a schema, its own before those of what it refers to. */
export function written(book: SchemaBook, schema: JsonSchema): readonly unknown[] {
  const { examples } = schema.examples === undefined ? book.shallow(schema) : schema
  return Array.isArray(examples) ? examples : []
}

function inside(value: unknown, path: readonly string[]): readonly unknown[] {
  const found = path.reduce(
    (here, name) => (isObject(here) && Object.hasOwn(here, name) ? here[name] : undefined),
    value,
  )
  return found === undefined ? [] : [found]
}

/** A row of the examples of its fields; empty if there are none. */
export function exampleOfFields(book: SchemaBook, schema: JsonSchema): Row {
  const { properties = {} } = book.shallow(schema)
  const entries = Object.entries(properties).flatMap(([name, field]) => {
    const [example] = isObject(field) ? written(book, field) : []
    return example === undefined ? [] : [[name, example] as const]
  })
  return Object.fromEntries(entries)
}
