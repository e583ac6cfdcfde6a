import type { ApiModel, ResourceModel } from '../api-model.ts'
import { segment } from '../segment.ts'
import { idParameter, listOf, nestedIn, refTo, withoutKey, withRelations } from './contents.ts'
import { filtersOf } from './filters.ts'
import type { Operation, Operations } from './operations.ts'

/** The operations of a path, by method. */
export type PathItem = Readonly<Record<string, Operation>>
export type Paths = Readonly<Record<string, PathItem>>

/** All paths of a resource. */
export function resourcePaths(model: ApiModel, resource: ResourceModel, operations: Operations): Paths {
  return resource.kind === 'object'
    ? objectPaths(resource, operations)
    : {
        ...listPaths(model, resource, operations),
        ...itemPaths(model, resource, operations),
        ...nestedPaths(model, resource, operations),
      }
}

function listPaths(model: ApiModel, resource: ResourceModel, operations: Operations): Paths {
  const { name, types, schema } = resource
  const path = `/${segment(name)}`
  const common = { path, tag: name }
  const get = operations.make({
    ...common,
    deed: 'list',
    id: `get${types.row}List`,
    summary: `Find ${name}`,
    parameters: filtersOf(schema),
    answer: listOf(model, resource),
  })
  return {
    [path]: { get, ...writable(operations, () => ({ post: create(model, resource, operations, common) })) },
  }
}

function create(
  { naming }: ApiModel,
  { name, types, example }: ResourceModel,
  operations: Operations,
  { path, tag, ...nested }: { path: string; tag: string; id?: string; parameters?: readonly object[] },
): Operation {
  return operations.make({
    deed: 'create',
    path,
    tag,
    id: nested.id ?? `create${types.row}`,
    summary: `Add one to ${name}`,
    description: 'To add several, send a list: all rows are added, or none, and the response is a list.',
    ...(nested.parameters && { parameters: nested.parameters, mayBeMissing: true }),
    body: { schema: refTo(types.fresh), example: withoutKey(example, naming.id) },
    answer: { status: 201, schema: refTo(types.row), example },
  })
}

function itemPaths(model: ApiModel, resource: ResourceModel, operations: Operations): Paths {
  const { name, types, example } = resource
  const path = `/${segment(name)}/{id}`
  const common = { path, tag: name, parameters: [idParameter(resource)], mayBeMissing: true }
  const answer = { schema: refTo(types.row), example }
  const get = operations.make({
    ...common,
    deed: 'item',
    id: `get${types.row}`,
    summary: `Get one of ${name}`,
    answer: { schema: withRelations(model, resource), example },
  })
  const writes = () => ({
    put: operations.make({
      ...common,
      deed: 'replace',
      id: `replace${types.row}`,
      summary: `Replace one of ${name}`,
      body: { schema: refTo(types.fresh), example },
      answer,
    }),
    patch: operations.make({
      ...common,
      deed: 'patch',
      id: `update${types.row}`,
      summary: `Change fields of one of ${name}`,
      body: { schema: refTo(types.patch), example },
      answer,
    }),
    delete: operations.make({
      ...common,
      deed: 'delete',
      id: `delete${types.row}`,
      summary: `Delete one of ${name}${operations.settings.cascade ? ' and all rows that refer to it' : ''}`,
      answer: { schema: { type: 'object', maxProperties: 0 } },
    }),
  })
  return { [path]: { get, ...writable(operations, writes) } }
}

function nestedPaths(model: ApiModel, resource: ResourceModel, operations: Operations): Paths {
  const nested = nestedIn(model, resource.name).map(({ child }): [string, PathItem] => {
    const path = `/${segment(resource.name)}/{id}/${segment(child.name)}`
    const common = { path, tag: child.name, parameters: [idParameter(resource)] }
    const both = `${resource.types.row}${child.types.row}`
    const get = operations.make({
      ...common,
      deed: 'list',
      id: `get${both}List`,
      summary: `Find ${child.name} of one of ${resource.name}`,
      parameters: [...common.parameters, ...filtersOf(child.schema)],
      answer: listOf(model, child),
    })
    const post = () => ({ post: create(model, child, operations, { ...common, id: `create${both}` }) })
    return [path, { get, ...writable(operations, post) }]
  })
  return Object.fromEntries(nested)
}

function objectPaths({ name, types, example }: ResourceModel, operations: Operations): Paths {
  const path = `/${segment(name)}`
  const answer = { schema: refTo(types.row), example }
  const write = (verb: string, schema: string, summary: string, status = 200) =>
    operations.make({
      deed: 'writeObject',
      path,
      tag: name,
      id: `${verb}${types.row}`,
      summary,
      body: { schema: refTo(schema), example },
      answer: { ...answer, status },
    })
  const get = operations.make({
    deed: 'object',
    path,
    tag: name,
    id: `get${types.row}`,
    summary: `Get ${name}`,
    answer,
  })
  const writes = () => ({
    post: write('create', types.fresh, `Replace ${name}`, 201),
    put: write('replace', types.fresh, `Replace ${name}`),
    patch: write('update', types.patch, `Change fields of ${name}`),
  })
  return { [path]: { get, ...writable(operations, writes) } }
}

function writable(operations: Operations, make: () => PathItem): PathItem {
  return operations.settings.readOnly ? {} : make()
}
