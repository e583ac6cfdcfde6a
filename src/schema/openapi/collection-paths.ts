import type { ApiModel, ResourceModel } from '../api-model.ts'
import { listOf, refTo, withRelations } from './contents.ts'
import type { Operations, Paths } from './operations.ts'
import type { RowBodies } from './row-bodies.ts'
import { filtersOf } from './tables/filters.ts'

interface ItemPlace {
  readonly path: string
  readonly parameters: readonly object[]
  /** Part of the ids of its operations: `Product`, `CompanyProduct`. */
  readonly id: string
  /** `a product of a company`; of a list, what is created: `a product for a company`. */
  readonly one: string
  readonly bodies: RowBodies
  /** The parent may not exist. */
  readonly isNested: boolean
}

interface ListPlace extends ItemPlace {
  /** What is listed: `products of a company`. */
  readonly all: string
}

export function listPaths(
  model: ApiModel,
  resource: ResourceModel,
  operations: Operations,
  place: ListPlace,
): Paths {
  const { name, types, schema } = resource
  const { path, parameters, id, all, one, bodies, isNested } = place
  const common = { path, tag: name }
  const filters = [...parameters, ...filtersOf(schema)]
  const get = operations.make({
    ...common,
    deed: 'list',
    id: `get${id}List`,
    summary: `List ${all}`,
    parameters: filters,
    answer: listOf(model, resource),
  })
  const writes = () => ({
    post: operations.make({
      ...common,
      deed: 'create',
      id: `create${id}`,
      summary: `Create ${one}`,
      description: 'To create several, send a list: all are created, or none, and the response is a list.',
      parameters,
      mayBeMissing: isNested,
      body: bodies.fresh,
      answer: { status: 201, ...bodies.created },
    }),
    patch: operations.make({
      ...common,
      deed: 'patchMany',
      id: `update${id}List`,
      summary: `Change fields of all ${all} that match`,
      parameters: filters,
      mayBeMissing: isNested,
      body: bodies.patch,
      answer: { schema: { type: 'array', items: refTo(types.row) } },
    }),
    delete: operations.make({
      ...common,
      deed: 'deleteMany',
      id: `delete${id}List`,
      summary: `Delete all ${all} that match`,
      parameters: filters,
      mayBeMissing: isNested,
      answer: { schema: { anyOf: [{ type: 'object' }, { type: 'array' }] } },
    }),
  })
  return { [path]: { get, ...operations.writes(writes) } }
}

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
