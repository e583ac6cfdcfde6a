import type { ApiModel, ResourceModel } from '../api-model.ts'
import { relationsOf } from '../relations.ts'

/** The type of a row as it is read: with what the request may attach. */
export function withRelations(model: ApiModel, resource: ResourceModel): string {
  const { row, relations } = resource.types
  return relationsOf(model, resource).length === 0 ? row : `${row} & ${relations}`
}

export function listOf(type: string): string {
  return type.includes(' ') ? `(${type})[]` : `${type}[]`
}
