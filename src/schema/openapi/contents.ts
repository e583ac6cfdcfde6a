import type { Content } from '../../catalogue/endpoint.ts'
import { type OperationKind, PATCHES } from '../../catalogue/operation-kinds.ts'
import type { ApiModel, ResourceModel } from '../api-model.ts'
import { relationsOf } from '../relations.ts'

const MOST_RELATIONS = 100

export function listOf(model: ApiModel, resource: ResourceModel): Content {
  const { example } = resource
  const items = withRelations(model, resource)
  return { schema: { type: 'array', items }, ...(example !== undefined && { example: [example] }) }
}

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

export function refTo(schema: string): { $ref: string } {
  return componentRef('schemas', schema)
}

export function componentRef(kind: string, name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` }
}

export function bodiesOf(
  kind: OperationKind,
  body: Content,
  type = 'application/json',
): Record<string, object> {
  const json = { [type]: media(body) }
  if (!PATCHES.includes(kind)) return json
  return {
    ...json,
    'application/merge-patch+json': media(body),
    'application/json-patch+json': { schema: { type: 'array', items: JSON_PATCH } },
  }
}

const JSON_PATCH = {
  type: 'object',
  properties: {
    op: { type: 'string', enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
    path: { type: 'string' },
    from: { type: 'string' },
    value: {},
  },
  required: ['op', 'path'],
}

export function media({ schema, example }: Content): object {
  return { schema, ...(example !== undefined && !refers(example) && { example }) }
}

/** Whether tools would take a part of it for a reference: some rows have a field `$ref`. */
function refers(example: unknown): boolean {
  if (typeof example !== 'object' || example === null) return false
  return Object.entries(example).some(([key, value]) =>
    key === '$ref' ? typeof value === 'string' : refers(value),
  )
}
