import { type ApiModel, childrenOf, type ResourceModel } from '../api-model.ts'
import type { Content } from './bodies.ts'

/** Children described per resource. */
const MOST_CHILDREN = 50

/** The collections nested in another. */
export function nestedIn(model: ApiModel, parent: string): ReturnType<typeof childrenOf> {
  return childrenOf(model, parent).slice(0, MOST_CHILDREN)
}

/** A list of rows, with an example of one. */
export function listOf(model: ApiModel, resource: ResourceModel): Content {
  const { example } = resource
  const items = withRelations(model, resource)
  return { schema: { type: 'array', items }, ...(example !== undefined && { example: [example] }) }
}

/** A row with the relations that `_embed` and `_expand` may add. */
export function withRelations(model: ApiModel, { name, types, references }: ResourceModel): object {
  const suffix = model.naming.foreignKeySuffix.length
  const parents = references
    .filter(({ isList }) => !isList)
    .flatMap(({ field, resource }): [string, object][] => {
      // The document may leave it out.
      const parent = model.resources.find((other) => other.name === resource)
      return parent ? [[field.slice(0, field.length - suffix), refTo(parent.types.row)]] : []
    })
  const children = nestedIn(model, name).map(
    ({ child }) => [child.name, { type: 'array', items: refTo(child.types.row) }] as const,
  )
  if (parents.length + children.length === 0) return refTo(types.row)
  return {
    allOf: [refTo(types.row), { type: 'object', properties: Object.fromEntries([...parents, ...children]) }],
  }
}

export function idParameter(name: string, { idSchema }: ResourceModel): object {
  const { type = 'string' } = idSchema
  return { name, in: 'path', required: true, schema: { type } }
}

export function refTo(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

/** An example without the key that the server generates. */
export function withoutKey(example: unknown, key: string): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example
  return Object.fromEntries(Object.entries(example).filter(([name]) => name !== key))
}

/** An object with exactly these fields. */
export function objectOf(properties: Record<string, object>): object {
  return { type: 'object', properties, required: Object.keys(properties) }
}
