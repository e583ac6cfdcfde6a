import type { ApiModel, ResourceModel } from '../api-model.ts'
import { refTo, withRelations } from './contents.ts'
import type { Operations, Paths } from './operations.ts'

/** Where an item is found: on its own, or below its parent. */
export interface ItemPlace {
  readonly path: string
  readonly parameters: readonly object[]
  /** Part of the ids of its operations: `Product`, `CompanyProduct`. */
  readonly id: string
  readonly summary: string
  readonly isNested: boolean
}

/** The path of one item. */
export function itemPaths(
  model: ApiModel,
  resource: ResourceModel,
  operations: Operations,
  { path, parameters, id, summary, isNested }: ItemPlace,
): Paths {
  const { name, types, example, newExample } = resource
  const common = { path, tag: name, parameters, mayBeMissing: true }
  const answer = { schema: refTo(types.row), example }
  const get = operations.make({
    ...common,
    deed: 'item',
    id: `get${id}`,
    summary: `Get ${summary}`,
    answer: { schema: withRelations(model, resource), example },
  })
  const writes = () => ({
    put: operations.make({
      ...common,
      deed: isNested ? 'replaceNested' : 'replace',
      id: `replace${id}`,
      summary: `Replace ${summary}`,
      body: { schema: refTo(types.fresh), example: newExample },
      answer,
    }),
    patch: operations.make({
      ...common,
      deed: 'patch',
      id: `update${id}`,
      summary: `Change fields of ${summary}`,
      body: { schema: refTo(types.patch), example: newExample },
      answer,
    }),
    delete: operations.make({
      ...common,
      deed: 'delete',
      id: `delete${id}`,
      summary: `Delete ${summary}${operations.settings.cascade ? ' and all rows that refer to it' : ''}`,
      answer: { schema: { type: 'object' } },
    }),
  })
  return { [path]: { get, ...operations.writes(writes) } }
}
