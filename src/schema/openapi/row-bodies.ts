import type { ApiModel, ResourceModel } from '../api-model.ts'
import type { JsonSchema } from '../json-schema.ts'
import { nestedKey } from '../nested-key.ts'
import { patchSchemaOf } from '../row-schema.ts'
import type { Content } from './bodies.ts'
import { refTo, withoutKey } from './contents.ts'
import type { Operations } from './operations.ts'

/** What the writes of a collection take, and what creating one answers. */
export interface RowBodies {
  readonly fresh: Content
  readonly whole: Content
  readonly patch: Content
  readonly created: Content
}

/** Those of a collection at a path of its own. */
export function rowBodies({ naming }: ApiModel, { types, example }: ResourceModel): RowBodies {
  return {
    fresh: { schema: refTo(types.fresh), example: withoutKey(example, naming.id) },
    whole: { schema: refTo(types.fresh), example },
    patch: { schema: refTo(types.patch), example: withoutKey(example, naming.id) },
    created: { schema: refTo(types.row), example },
  }
}

/** Those below a parent: the path has the foreign key. */
export function nestedBodies(
  model: ApiModel,
  parent: ResourceModel,
  { child, field }: { readonly child: ResourceModel; readonly field: string },
  operations: Operations,
): RowBodies {
  const { types, schema, newSchema } = child
  const of = (type: string, make: () => JsonSchema) =>
    operations.schema(`${type}-of-${parent.types.row}`, make)
  const bare = withoutKey(child.example, field)
  const fresh = of(types.fresh, () => without(newSchema, field))
  const key = nestedKey(child, field)
  const example = withoutKey(bare, model.naming.id)
  return {
    fresh: { schema: fresh, example },
    whole: { schema: fresh, example: bare },
    patch: { schema: of(types.patch, () => patchSchemaOf(without(newSchema, field))), example },
    created: key
      ? {
          schema: of(types.row, () => ({ ...schema, properties: { ...schema.properties, [field]: key } })),
          example: withText(child.example, field),
        }
      : { schema: refTo(types.row), example: child.example },
  }
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
