import { type ApiModel, childrenOf, type ResourceModel } from '../api-model.ts'
import { relationsOf } from '../relations.ts'
import type { Content } from './bodies.ts'

/** Children and relations described per resource. */
const MOST_CHILDREN = 50
const MOST_RELATIONS = 100

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
export function withRelations(model: ApiModel, resource: ResourceModel): object {
  const row = refTo(resource.types.row)
  const relations = relationsOf(model, resource).slice(0, MOST_RELATIONS)
  if (relations.length === 0) return row
  const fields = relations.map((relation) => {
    const one = refTo(relation.resource.types.row)
    return [relation.name, relation.isMany ? { type: 'array', items: one } : one] as const
  })
  return { allOf: [row, { type: 'object', properties: Object.fromEntries(fields) }] }
}

export function idParameter(name: string, { idSchema }: ResourceModel): object {
  const { type = 'string' } = idSchema
  return { name, in: 'path', required: true, schema: { type } }
}

export function refTo(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

/** An object with exactly these fields. */
export function objectOf(properties: Record<string, object>): object {
  return { type: 'object', properties, required: Object.keys(properties) }
}
