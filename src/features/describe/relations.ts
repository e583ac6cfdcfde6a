import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import type { ApiModel, ResourceModel } from './api-model.ts'

interface AttachedRelation {
  readonly name: string
  readonly resource: ResourceModel
  readonly isMany: boolean
}

/** Parents first, then children. A row that has a field of that name keeps its own. */
export function relationsOf(model: ApiModel, row: ResourceModel): readonly AttachedRelation[] {
  if (row.kind !== 'collection') return []
  const attached = new Map<string, AttachedRelation>()
  for (const relation of [...parentsOf(model, row), ...childrenAttached(model, row)]) {
    const isTaken = attached.has(relation.name) || Object.hasOwn(row.schema.properties ?? {}, relation.name)
    if (!isTaken) attached.set(relation.name, relation)
  }
  return [...attached.values()]
}

/** `company` of `company_id`, `tags` of `tag_ids`. */
function parentsOf({ resources }: ApiModel, { references }: ResourceModel): AttachedRelation[] {
  return references.flatMap(({ resource: name, isList, relation }) => {
    const resource = resources.find((other) => other.name === name)
    return resource ? [{ name: relation, resource, isMany: isList }] : []
  })
}

function childrenAttached({ resources }: ApiModel, { name }: ResourceModel): AttachedRelation[] {
  return resources
    .filter(
      ({ kind, references }) =>
        kind === 'collection' && references.some((one) => one.resource === name && !one.isDeclared),
    )
    .map((resource) => ({ name: resource.name, resource, isMany: true }))
}

/** The foreign key of a row created below its parent: the text of the path, where other rows have another type. */
export function nestedKey({ schema, named }: ResourceModel, field: string): JsonSchema | undefined {
  const property = schema.properties?.[field] ?? {}
  if (named.has(field) || property.type === 'string' || property.type === undefined) return undefined
  const { description, 'x-references': references } = property
  return {
    type: 'string',
    ...(description !== undefined && { description }),
    ...(references !== undefined && { 'x-references': references }),
  }
}
