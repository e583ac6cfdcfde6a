import { type ApiModel, childrenOf, type ResourceModel } from '../api-model.ts'
import type { Content } from './operations.ts'

/** A list of rows, with an example of one. */
export function listOf(model: ApiModel, resource: ResourceModel): Content {
  const { example } = resource
  const items = withRelations(model, resource)
  return { schema: { type: 'array', items }, ...(example !== undefined && { example: [example] }) }
}

/** A row with the relations that `_embed` and `_expand` may add. */
export function withRelations(model: ApiModel, { name, types, references }: ResourceModel): object {
  const suffix = model.naming.foreignKeySuffix.length
  const typeOf = new Map(model.resources.map((other) => [other.name, other.types.row]))
  const parents = references
    .filter(({ isList }) => !isList)
    .map(
      ({ field, resource }) =>
        [field.slice(0, field.length - suffix), refTo(typeOf.get(resource) ?? '')] as const,
    )
  const children = childrenOf(model, name).map(
    ({ child }) => [child.name, { type: 'array', items: refTo(child.types.row) }] as const,
  )
  if (parents.length + children.length === 0) return refTo(types.row)
  return {
    allOf: [refTo(types.row), { type: 'object', properties: Object.fromEntries([...parents, ...children]) }],
  }
}

export function idParameter({ idSchema }: ResourceModel): object {
  const { type = 'string' } = idSchema
  return { name: 'id', in: 'path', required: true, schema: { type } }
}

export function refTo(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

/** An example without the key that the server generates. */
export function withoutKey(example: unknown, key: string): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example
  return Object.fromEntries(Object.entries(example).filter(([name]) => name !== key))
}
