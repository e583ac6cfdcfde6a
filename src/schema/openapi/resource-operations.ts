import type { Content, Endpoint } from '../../catalogue/endpoint.ts'
import { urlSegment } from '../../json/url-segment.ts'
import type { ApiModel, ResourceModel } from '../api-model.ts'
import type { JsonSchema } from '../json-schema.ts'
import { oneOf } from '../names.ts'
import { nestedKey } from '../relations.ts'
import { patchSchemaOf } from '../row-schemas.ts'
import { idParameter, listOf, nestedIn, refTo, withRelations } from './contents.ts'
import { filtersOf } from './filters.ts'
import type { Operations } from './operations.ts'

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

function operation(
  method: Endpoint['method'],
  kind: Endpoint['kind'],
  id: string,
  summary: string,
  more: Omit<Endpoint, 'method' | 'kind' | 'id' | 'summary'>,
): Endpoint {
  return { method, kind, id, summary, ...more }
}

function listOperations(place: Place): readonly Endpoint[] {
  const { model, resource, path, parameters, id, all, one, bodies, isNested: mayBeMissing } = place
  const { fresh, patch, created } = bodies
  const filtered = { path, parameters: [...parameters, ...filtersOf(resource.schema)] }
  const several = { ...filtered, mayBeMissing }
  const response = listOf(model, resource)
  const changed = { schema: { type: 'array', items: refTo(resource.types.row) } }
  const deleted = { schema: { anyOf: [{ type: 'object' }, { type: 'array' }] } }
  const made = { description: CREATES_SEVERAL, body: fresh, response: { status: 201, ...created } }
  const matching = `all ${all} that match`
  return [
    operation('get', 'list', `get${id}List`, `List ${all}`, { ...filtered, response }),
    operation('post', 'create', `create${id}`, `Create ${one}`, { path, parameters, mayBeMissing, ...made }),
    operation('patch', 'patchMany', `update${id}List`, `Change fields of ${matching}`, {
      ...several,
      body: patch,
      response: changed,
    }),
    operation('delete', 'deleteMany', `delete${id}List`, `Delete ${matching}`, {
      ...several,
      response: deleted,
    }),
  ]
}

const CREATES_SEVERAL =
  'To create several, send a list: all are created, or none, and the response is a list.'

function itemOperations(place: Place, cascade: boolean): readonly Endpoint[] {
  const { model, resource, path, parameters, id, one, bodies, isNested } = place
  const { types, example } = resource
  const common = { path, parameters, mayBeMissing: true }
  const read = { schema: withRelations(model, resource), example }
  const response = { schema: refTo(types.row), example }
  const replaces = isNested ? 'replaceNested' : 'replace'
  const along = cascade ? ' and all rows that refer to it' : ''
  return [
    operation('get', 'item', `get${id}`, `Get ${one}`, { ...common, response: read }),
    ...changes({ ...common, response }, id, one, bodies, [replaces, 'patch']),
    operation('delete', 'delete', `delete${id}`, `Delete ${one}${along}`, {
      ...common,
      response: { schema: { type: 'object' } },
    }),
  ]
}

function objectOperations(path: string, resource: ResourceModel): readonly Endpoint[] {
  const { name, types, example } = resource
  const response = { schema: refTo(types.row), example }
  const bodies = rowBodies(resource)
  const made = { body: bodies.fresh, response: { ...response, status: 201 } }
  return [
    operation('get', 'object', `get${types.row}`, `Get ${name}`, { path, response }),
    operation('post', 'createObject', `create${types.row}`, `Replace ${name}`, { path, ...made }),
    ...changes({ path, response }, types.row, name, bodies, ['replaceObject', 'patchObject']),
  ]
}

function changes(
  common: Pick<Endpoint, 'path' | 'parameters' | 'mayBeMissing' | 'response'>,
  id: string,
  one: string,
  { fresh, patch }: RowBodies,
  [replaces, updates]: readonly [Endpoint['kind'], Endpoint['kind']],
): readonly Endpoint[] {
  return [
    operation('put', replaces, `replace${id}`, `Replace ${one}`, { ...common, body: fresh }),
    operation('patch', updates, `update${id}`, `Change fields of ${one}`, { ...common, body: patch }),
  ]
}

/** What the writes of a collection take, and what creating one answers. */
export interface RowBodies {
  readonly fresh: Content
  readonly patch: Content
  readonly created: Content
}

export function rowBodies({ types, example, newExample }: ResourceModel): RowBodies {
  return {
    fresh: { schema: refTo(types.fresh), example: newExample },
    patch: { schema: refTo(types.patch), example: newExample },
    created: { schema: refTo(types.row), example },
  }
}

/** Those below a parent: the path has the foreign key. */
export function nestedBodies(
  parent: ResourceModel,
  { child, field }: { readonly child: ResourceModel; readonly field: string },
  operations: Operations,
): RowBodies {
  const { types, schema, newSchema, newExample } = child
  const of = (type: string, make: () => JsonSchema) =>
    operations.schema(`${type}-of-${parent.types.row}`, make)
  const example = withoutKey(newExample, field)
  const key = nestedKey(child, field)
  return {
    fresh: { schema: of(types.fresh, () => without(newSchema, field)), example },
    patch: { schema: of(types.patch, () => patchSchemaOf(without(newSchema, field))), example },
    created: key
      ? {
          schema: of(types.row, () => ({ ...schema, properties: { ...schema.properties, [field]: key } })),
          example: withText(child.example, field),
        }
      : { schema: refTo(types.row), example: child.example },
  }
}

function withoutKey(example: unknown, key: string): unknown {
  if (typeof example !== 'object' || example === null) return example
  return Object.fromEntries(Object.entries(example).filter(([name]) => name !== key))
}

function without(schema: JsonSchema, field: string): JsonSchema {
  const { [field]: _, ...properties } = schema.properties ?? {}
  const { required = [], title: __, ...rest } = schema
  return { ...rest, properties, required: required.filter((name) => name !== field) }
}

function withText(example: unknown, field: string): unknown {
  if (typeof example !== 'object' || example === null || !Object.hasOwn(example, field)) return example
  return { ...example, [field]: String(Reflect.get(example, field)) }
}
