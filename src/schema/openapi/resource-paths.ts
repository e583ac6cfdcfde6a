import { urlSegment } from '../../json/url-segment.ts'
import type { ApiModel, ResourceModel } from '../api-model.ts'
import { idParameter, nestedIn } from './contents.ts'
import { itemPaths } from './item-paths.ts'
import { listPaths } from './list-paths.ts'
import { objectPaths } from './object-paths.ts'
import type { Operations, Paths } from './operations.ts'

/** All paths of a resource. */
export function resourcePaths(model: ApiModel, resource: ResourceModel, operations: Operations): Paths {
  if (resource.kind === 'object') return objectPaths(resource, operations)
  const { name, types } = resource
  const path = `/${urlSegment(name)}`
  const id = idParameter('id', resource)
  const list = { path, parameters: [], id: types.row, summary: name, isNested: false }
  const item = { ...list, path: `${path}/{id}`, parameters: [id], summary: `one of ${name}` }
  const nested = nestedIn(model, name).map(({ child }) => {
    const below = {
      path: `${path}/{id}/${urlSegment(child.name)}`,
      id: `${types.row}${child.types.row}`,
      isNested: true,
    }
    const of = `of one of ${name}`
    const parameters = [id, idParameter('childId', child)]
    return {
      ...listPaths(model, child, operations, {
        ...below,
        parameters: [id],
        summary: `${child.name} ${of}`,
      }),
      ...itemPaths(model, child, operations, {
        ...below,
        path: `${below.path}/{childId}`,
        parameters,
        summary: `one of the ${child.name} ${of}`,
      }),
    }
  })
  return Object.assign(
    {},
    listPaths(model, resource, operations, list),
    itemPaths(model, resource, operations, item),
    ...nested,
  )
}
