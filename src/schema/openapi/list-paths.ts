import type { ApiModel, ResourceModel } from '../api-model.ts'
import { listOf, refTo } from './contents.ts'
import type { Operations, Paths } from './operations.ts'
import { filtersOf } from './tables/filters.ts'

/** Where a list is found: on its own, or below a parent. */
export interface ListPlace {
  readonly path: string
  /** Those of the path. */
  readonly parameters: readonly object[]
  /** Part of the ids of its operations: `Product`, `CompanyProduct`. */
  readonly id: string
  readonly summary: string
  /** The parent may not exist. */
  readonly isNested: boolean
}

/** The path of a list. */
export function listPaths(
  model: ApiModel,
  resource: ResourceModel,
  operations: Operations,
  place: ListPlace,
): Paths {
  const { name, types, schema, example, newExample } = resource
  const { path, parameters, id, summary, isNested } = place
  const common = { path, tag: name }
  const filters = [...parameters, ...filtersOf(schema)]
  const get = operations.make({
    ...common,
    deed: 'list',
    id: `get${id}List`,
    summary: `Find ${summary}`,
    parameters: filters,
    answer: listOf(model, resource),
  })
  const writes = () => ({
    post: operations.make({
      ...common,
      deed: 'create',
      id: `create${id}`,
      summary: `Add one to ${summary}`,
      description: 'To add several, send a list: all rows are added, or none, and the response is a list.',
      parameters,
      mayBeMissing: isNested,
      body: { schema: refTo(types.fresh), example: newExample },
      answer: { status: 201, schema: refTo(types.row), example },
    }),
    patch: operations.make({
      ...common,
      deed: 'patchMany',
      id: `update${id}List`,
      summary: `Change fields of all ${summary} that match`,
      parameters: filters,
      mayBeMissing: isNested,
      body: { schema: refTo(types.patch), example: newExample },
      answer: { schema: { type: 'array', items: refTo(types.row) } },
    }),
    delete: operations.make({
      ...common,
      deed: 'deleteMany',
      id: `delete${id}List`,
      summary: `Delete all ${summary} that match`,
      parameters: filters,
      mayBeMissing: isNested,
      answer: { schema: { anyOf: [{ type: 'object' }, { type: 'array' }] } },
    }),
  })
  return { [path]: { get, ...operations.writes(writes) } }
}
