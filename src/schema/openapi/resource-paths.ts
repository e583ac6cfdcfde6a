import { urlSegment } from '../../json/url-segment.ts'
import type { ApiModel, ResourceModel } from '../api-model.ts'
import { oneOf } from '../with-article.ts'
import { itemPaths, listPaths } from './collection-paths.ts'
import { idParameter, nestedIn } from './contents.ts'
import { objectPaths } from './object-paths.ts'
import type { Operations, Paths } from './operations.ts'
import { nestedBodies, rowBodies } from './row-bodies.ts'

export function resourcePaths(model: ApiModel, resource: ResourceModel, operations: Operations): Paths {
  if (resource.kind === 'object') return objectPaths(resource, operations)
  const { name, types } = resource
  const path = `/${urlSegment(name)}`
  const id = idParameter('id', resource)
  const bodies = rowBodies(resource)
  const one = oneOf(name)
  const list = { path, parameters: [], id: types.row, all: name, one, bodies, isNested: false }
  const item = { ...list, path: `${path}/{id}`, parameters: [id] }
  const nested = nestedIn(model, name).map(({ child, field }) => {
    const below = {
      path: `${path}/{id}/${urlSegment(child.name)}`,
      id: `${types.row}${child.types.row}`,
      bodies: nestedBodies(resource, { child, field }, operations),
      isNested: true,
    }
    const parameters = [id, idParameter('childId', child)]
    return {
      ...listPaths(model, child, operations, {
        ...below,
        parameters: [id],
        all: `${child.name} of ${one}`,
        one: `${oneOf(child.name)} for ${one}`,
      }),
      ...itemPaths(model, child, operations, {
        ...below,
        path: `${below.path}/{childId}`,
        parameters,
        one: `${oneOf(child.name)} of ${one}`,
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
