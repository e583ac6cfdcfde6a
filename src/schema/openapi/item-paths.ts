import type { ApiModel, ResourceModel } from '../api-model.ts'
import { refTo, withRelations } from './contents.ts'
import type { Operations, Paths } from './operations.ts'
import type { RowBodies } from './row-bodies.ts'

/** Where an item is found: on its own, or below its parent. */
export interface ItemPlace {
  readonly path: string
  readonly parameters: readonly object[]
  /** Part of the ids of its operations: `Product`, `CompanyProduct`. */
  readonly id: string
  /** What it is: `a product of a company`. */
  readonly one: string
  readonly bodies: RowBodies
  readonly isNested: boolean
}

/** The path of one item. */
export function itemPaths(
  model: ApiModel,
  resource: ResourceModel,
  operations: Operations,
  { path, parameters, id, one, bodies, isNested }: ItemPlace,
): Paths {
  const { name, types, example } = resource
  const common = { path, tag: name, parameters, mayBeMissing: true }
  const answer = { schema: refTo(types.row), example }
  const get = operations.make({
    ...common,
    deed: 'item',
    id: `get${id}`,
    summary: `Get ${one}`,
    answer: { schema: withRelations(model, resource), example },
  })
  const writes = () => ({
    put: operations.make({
      ...common,
      deed: isNested ? 'replaceNested' : 'replace',
      id: `replace${id}`,
      summary: `Replace ${one}`,
      body: bodies.fresh,
      answer,
    }),
    patch: operations.make({
      ...common,
      deed: 'patch',
      id: `update${id}`,
      summary: `Change fields of ${one}`,
      body: bodies.patch,
      answer,
    }),
    delete: operations.make({
      ...common,
      deed: 'delete',
      id: `delete${id}`,
      summary: `Delete ${one}${operations.settings.cascade ? ' and all rows that refer to it' : ''}`,
      answer: { schema: { type: 'object' } },
    }),
  })
  return { [path]: { get, ...operations.writes(writes) } }
}
