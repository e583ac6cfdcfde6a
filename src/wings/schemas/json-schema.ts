/** A JSON Schema, as generated here. A user's schema may contain any other keyword. */
export interface JsonSchema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: SchemaType | readonly SchemaType[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
  /** The collection that a foreign key points at. Unknown keywords are annotations, to be prefixed with `x-`. */
  readonly 'x-references'?: string
  readonly [keyword: string]: unknown
}

export type SchemaType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'object' | 'array'

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
