import type { Content } from '../../catalogue/endpoint.ts'
import type { ResourceModel } from '../api-model.ts'
import type { JsonSchema } from '../json-schema.ts'
import { nestedKey } from '../relations.ts'
import { patchSchemaOf } from '../sent-schema.ts'
import { refTo } from './contents.ts'
import type { Operations } from './operations.ts'

/** What the writes of a collection take, and what creating one answers. */
export interface RowBodies {
  readonly fresh: Content
  readonly patch: Content
  readonly created: Content
}

export function rowBodies({ types, example, newExample }: ResourceModel): RowBodies {
  return {
    fresh: { schema: refTo(types.fresh), example: newExample },
    patch: { schema: refTo(types.patch), example: newExample },
    created: { schema: refTo(types.row), example },
  }
}

/** Those below a parent: the path has the foreign key. */
export function nestedBodies(
  parent: ResourceModel,
  { child, field }: { readonly child: ResourceModel; readonly field: string },
  operations: Operations,
): RowBodies {
  const { types, schema, newSchema, newExample } = child
  const of = (type: string, make: () => JsonSchema) =>
    operations.schema(`${type}-of-${parent.types.row}`, make)
  const example = withoutKey(newExample, field)
  const key = nestedKey(child, field)
  return {
    fresh: { schema: of(types.fresh, () => without(newSchema, field)), example },
    patch: { schema: of(types.patch, () => patchSchemaOf(without(newSchema, field))), example },
    created: key
      ? {
          schema: of(types.row, () => ({ ...schema, properties: { ...schema.properties, [field]: key } })),
          example: withText(child.example, field),
        }
      : { schema: refTo(types.row), example: child.example },
  }
}

function withoutKey(example: unknown, key: string): unknown {
  if (typeof example !== 'object' || example === null) return example
  return Object.fromEntries(Object.entries(example).filter(([name]) => name !== key))
}

function without(schema: JsonSchema, field: string): JsonSchema {
  const { [field]: _, ...properties } = schema.properties ?? {}
  const { required = [], title: __, ...rest } = schema
  return { ...rest, properties, required: required.filter((name) => name !== field) }
}

function withText(example: unknown, field: string): unknown {
  if (typeof example !== 'object' || example === null || !Object.hasOwn(example, field)) return example
  return { ...example, [field]: String(Reflect.get(example, field)) }
}
