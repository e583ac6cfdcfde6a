import type { Content, Endpoint } from '../../catalogue/endpoint.ts'
import { urlSegment } from '../../json/url-segment.ts'
import type { ApiModel, ResourceModel } from '../api-model.ts'
import { oneOf } from '../with-article.ts'
import { idParameter, listOf, nestedIn, refTo, withRelations } from './contents.ts'
import type { Operations } from './operations.ts'
import { nestedBodies, type RowBodies, rowBodies } from './row-bodies.ts'
import { filtersOf } from './tables/filters.ts'

/** The operations of a resource: of its own paths, and of those below its rows. Each has its resource for a tag. */
export function addResource(model: ApiModel, resource: ResourceModel, operations: Operations): void {
  const { name, types } = resource
  const add = (tag: string, described: readonly Endpoint[]) => {
    for (const one of described) operations.add(tag, one)
  }
  const path = `/${urlSegment(name)}`
  if (resource.kind === 'object') {
    add(name, objectOperations(path, resource))
    return
  }
  const one = oneOf(name)
  const bodies = rowBodies(resource)
  const place = {
    model,
    resource,
    path,
    parameters: [],
    id: types.row,
    all: name,
    one,
    bodies,
    isNested: false,
  }
  const parameters = [idParameter('id', resource)]
  const { cascade } = operations.settings
  add(name, listOperations(place))
  add(name, itemOperations({ ...place, path: `${path}/{id}`, parameters }, cascade))
  for (const { child, field } of nestedIn(model, name)) {
    const nested = {
      model,
      resource: child,
      path: `${path}/{id}/${urlSegment(child.name)}`,
      parameters,
      id: `${types.row}${child.types.row}`,
      all: `${child.name} of ${one}`,
      one: `${oneOf(child.name)} for ${one}`,
      bodies: nestedBodies(resource, { child, field }, operations),
      isNested: true,
    }
    const item = {
      ...nested,
      path: `${nested.path}/{childId}`,
      parameters: [...parameters, idParameter('childId', child)],
      one: `${oneOf(child.name)} of ${one}`,
    }
    add(child.name, [...listOperations(nested), ...itemOperations(item, cascade)])
  }
}

/** Where rows of a collection are: at the top, or below those of another. */
interface Place {
  readonly model: ApiModel
  readonly resource: ResourceModel
  readonly path: string
  readonly parameters: readonly object[]
  /** Part of the ids of its operations: `Product`, `CompanyProduct`. */
  readonly id: string
  /** What is listed: `products of a company`. */
  readonly all: string
  /** `a product of a company`; of a list, what is created: `a product for a company`. */
  readonly one: string
  readonly bodies: RowBodies
  /** The parent may not exist. */
  readonly isNested: boolean
}

const NOTHING = { schema: { type: 'object' } }

function listOperations(place: Place): readonly Endpoint[] {
  const { model, resource, path, parameters, id, all, one, bodies, isNested: mayBeMissing } = place
  const filtered = { path, parameters: [...parameters, ...filtersOf(resource.schema)] }
  const rows = { schema: { type: 'array', items: refTo(resource.types.row) } }
  const deleted = { schema: { anyOf: [{ type: 'object' }, { type: 'array' }] } }
  return [
    {
      ...filtered,
      method: 'get',
      kind: 'list',
      id: `get${id}List`,
      summary: `List ${all}`,
      response: listOf(model, resource),
    },
    {
      ...{ path, parameters, mayBeMissing },
      method: 'post',
      kind: 'create',
      id: `create${id}`,
      summary: `Create ${one}`,
      description: 'To create several, send a list: all are created, or none, and the response is a list.',
      body: bodies.fresh,
      response: { status: 201, ...bodies.created },
    },
    {
      ...{ ...filtered, mayBeMissing },
      method: 'patch',
      kind: 'patchMany',
      id: `update${id}List`,
      summary: `Change fields of all ${all} that match`,
      body: bodies.patch,
      response: rows,
    },
    {
      ...{ ...filtered, mayBeMissing },
      method: 'delete',
      kind: 'deleteMany',
      id: `delete${id}List`,
      summary: `Delete all ${all} that match`,
      response: deleted,
    },
  ]
}

function itemOperations(place: Place, cascade: boolean): readonly Endpoint[] {
  const { model, resource, path, parameters, id, one, bodies, isNested } = place
  const { types, example } = resource
  const common = { path, parameters, mayBeMissing: true }
  const along = cascade ? ' and all rows that refer to it' : ''
  return [
    {
      ...common,
      method: 'get',
      kind: 'item',
      id: `get${id}`,
      summary: `Get ${one}`,
      response: { schema: withRelations(model, resource), example },
    },
    ...changes(common, id, one, bodies, { schema: refTo(types.row), example }, [
      isNested ? 'replaceNested' : 'replace',
      'patch',
    ]),
    {
      ...common,
      method: 'delete',
      kind: 'delete',
      id: `delete${id}`,
      summary: `Delete ${one}${along}`,
      response: NOTHING,
    },
  ]
}

function objectOperations(path: string, resource: ResourceModel): readonly Endpoint[] {
  const { name, types, example } = resource
  const response = { schema: refTo(types.row), example }
  const bodies = rowBodies(resource)
  return [
    { path, method: 'get', kind: 'object', id: `get${types.row}`, summary: `Get ${name}`, response },
    {
      path,
      method: 'post',
      kind: 'createObject',
      id: `create${types.row}`,
      summary: `Replace ${name}`,
      body: bodies.fresh,
      response: { ...response, status: 201 },
    },
    ...changes({ path }, types.row, name, bodies, response, ['replaceObject', 'patchObject']),
  ]
}

function changes(
  common: Pick<Endpoint, 'path' | 'parameters' | 'mayBeMissing'>,
  id: string,
  one: string,
  { fresh, patch }: RowBodies,
  response: Content,
  [replace, change]: readonly [Endpoint['kind'], Endpoint['kind']],
): readonly Endpoint[] {
  return [
    {
      ...common,
      method: 'put',
      kind: replace,
      id: `replace${id}`,
      summary: `Replace ${one}`,
      body: fresh,
      response,
    },
    {
      ...common,
      method: 'patch',
      kind: change,
      id: `update${id}`,
      summary: `Change fields of ${one}`,
      body: patch,
      response,
    },
  ]
}
