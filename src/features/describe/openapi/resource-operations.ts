import type { Content, Endpoint } from '../../../core/kernel/catalogue/endpoint.ts'
import { FILTERED, type OperationKind } from '../../../core/kernel/catalogue/operation-kinds.ts'
import type { JsonSchema } from '../../../wings/schemas/json-schema.ts'
import { patchSchemaOf } from '../../../wings/schemas/row-schemas.ts'
import { wordsIn } from '../../../wings/shapes/template.ts'
import type { ApiModel, ResourceModel } from '../api-model.ts'
import { oneOf } from '../names.ts'
import { nestedKey } from '../relations.ts'
import { type ResourcePath, resourcePaths } from '../resource-paths.ts'
import { idParameter, listOf, refTo, withRelations } from './contents.ts'
import { filtersOf } from './filters.ts'
import type { Operations } from './operations.ts'
import { type Shaped, shapedOperation } from './shaped-operation.ts'

const MOST_CHILDREN = 50

/** The operations of a resource: of its own paths, and of those below its rows. Each has its resource for a tag. */
export function addResource(model: ApiModel, resource: ResourceModel, operations: Operations): void {
  for (const path of resourcePaths(model, resource, MOST_CHILDREN)) {
    const { parent } = path
    const bodies = parent ? nestedBodies(path.resource, parent, operations) : rowBodies(path.resource)
    const filters = path.operations.some(([, kind]) => kind === 'list') ? filtersOf(path.resource.schema) : []
    for (const [method, kind] of path.operations) {
      const operation = {
        method,
        kind,
        path: path.path,
        parameters: [...idsIn(path), ...(FILTERED.includes(kind) ? filters : [])],
        mayBeMissing: mayBeMissing(kind, path),
        ...describeOperation(kind, model, path, bodies, operations.settings.cascade),
      }
      const shaped = shapedBy(path, kind, operations)
      operations.add(
        path.resource.name,
        withOthers(shaped ? shapedOperation(operation, shaped) : operation, path, operations),
      )
    }
  }
}

/** With the bodies that features add. */
function withOthers(endpoint: Endpoint, { resource }: ResourcePath, { settings }: Operations): Endpoint {
  const { body, kind } = endpoint
  const added = settings.addedBodies.filter(({ kinds }) => kinds.includes(kind))
  if (!body || added.length === 0) return endpoint
  const others = added.map(({ type, schemaOf }) => [type, schemaOf(resource.newSchema)] as const)
  return { ...endpoint, body: { ...body, others: Object.fromEntries(others) } }
}

function shapedBy(
  { resource, parent }: ResourcePath,
  kind: OperationKind,
  operations: Operations,
): Shaped | undefined {
  const { name, types, id: own } = resource
  const shape = operations.settings.shapes?.of(name)
  if (!shape) return undefined
  const id = shape.showKey?.(own) ?? own
  const hasFields = wordsIn(shape.template.row).includes('fields')
  const below = kind === 'create' && parent ? createdBelow(resource, parent) : undefined
  const { type, schema } = below ?? { type: types.row, schema: resource.schema }
  const fields = hasFields ? operations.share('schemas', `${type}-fields`, () => without(schema, id)) : {}
  return { shape, resource: name, id: own, fields }
}

function idsIn({ path, resource, parent, above }: ResourcePath): readonly object[] {
  const rows = [above, parent?.resource, resource].filter((one) => one !== undefined)
  return [
    ...IDS.flatMap((name, at) => {
      const row = rows[at]
      return row && path.includes(`{${name}}`) ? [idParameter(name, row)] : []
    }),
  ]
}

/** Of the rows in a path, from the first. */
const IDS = ['id', 'childId', 'grandchildId'] as const

function describeOperation(
  kind: OperationKind,
  model: ApiModel,
  { resource, parent, above }: ResourcePath,
  { fresh, patch, created }: RowBodies,
  cascade: boolean,
): Pick<Endpoint, 'id' | 'summary' | 'description' | 'body' | 'response'> {
  const { name, types, example } = resource
  const id = `${above?.types.row ?? ''}${parent?.resource.types.row ?? ''}${types.row}`
  const ofAbove = above ? ` of ${oneOf(above.name)}` : ''
  const ofParent = parent ? ` of ${oneOf(parent.resource.name)}${ofAbove}` : ''
  const one = resource.kind === 'object' ? name : `${oneOf(name)}${ofParent}`
  const matching = `all ${name}${ofParent} that match`
  const response = { schema: refTo(types.row), example }
  switch (kind) {
    case 'list':
      return { id: `get${id}List`, summary: `List ${name}${ofParent}`, response: listOf(model, resource) }
    case 'create':
      return {
        id: `create${id}`,
        summary: `Create ${oneOf(name)}${ofParent.replace(' of ', ' for ')}`,
        description: CREATES_SEVERAL,
        body: fresh,
        response: { status: 201, ...created },
      }
    case 'patchMany':
      return {
        id: `update${id}List`,
        summary: `Change fields of ${matching}`,
        body: patch,
        response: { schema: { type: 'array', items: refTo(types.row) } },
      }
    case 'deleteMany': {
      const schema = { anyOf: [{ type: 'object' }, { type: 'array' }] }
      return { id: `delete${id}List`, summary: `Delete ${matching}`, response: { schema } }
    }
    case 'item': {
      const schema = withRelations(model, resource)
      return { id: `get${id}`, summary: `Get ${one}`, response: { schema, example } }
    }
    case 'delete': {
      const summary = `Delete ${one}${cascade ? ' and all rows that refer to it' : ''}`
      return { id: `delete${id}`, summary, response: { schema: { type: 'object' } } }
    }
    case 'createObject': {
      const summary = `Replace ${one}`
      return { id: `create${id}`, summary, body: fresh, response: { ...response, status: 201 } }
    }
    case 'replace':
    case 'replaceNested':
    case 'replaceObject':
      return { id: `replace${id}`, summary: `Replace ${one}`, body: fresh, response }
    case 'patch':
    case 'patchObject':
      return { id: `update${id}`, summary: `Change fields of ${one}`, body: patch, response }
    default:
      return { id: `get${id}`, summary: `Get ${one}`, response }
  }
}

/** A list is never missing, unless a link of a deep path does not hold; what is created or matches, only if the parent is. */
function mayBeMissing(kind: OperationKind, { resource, parent, above }: ResourcePath): boolean {
  if (resource.kind === 'object' || (kind === 'list' && !above)) return false
  return parent !== undefined || !['create', 'patchMany', 'deleteMany'].includes(kind)
}

const CREATES_SEVERAL =
  'To create several, send a list: all are created, or none, and the response is a list.'

interface RowBodies {
  readonly fresh: Content
  readonly patch: Content
  readonly created: Content
}

function rowBodies({ types, example, newExample }: ResourceModel): RowBodies {
  return {
    fresh: { schema: refTo(types.fresh), example: newExample },
    patch: { schema: refTo(types.patch), example: newExample },
    created: { schema: refTo(types.row), example },
  }
}

/** Bodies of rows below a parent: the path has the foreign key. */
function nestedBodies(
  child: ResourceModel,
  { resource: parent, field }: NonNullable<ResourcePath['parent']>,
  operations: Operations,
): RowBodies {
  const { types, newSchema, newExample } = child
  const of = (type: string, make: () => JsonSchema) =>
    operations.share('schemas', `${type}-of-${parent.types.row}`, make)
  const example = withoutKey(newExample, field)
  const below = createdBelow(child, { resource: parent, field })
  return {
    fresh: { schema: of(types.fresh, () => without(newSchema, field)), example },
    patch: { schema: of(types.patch, () => patchSchemaOf(without(newSchema, field))), example },
    created: below
      ? {
          schema: operations.share('schemas', below.type, () => below.schema),
          example: withText(child.example, field),
        }
      : { schema: refTo(types.row), example: child.example },
  }
}

/** A row as it is created below its parent, if it differs from others: its key is the text of the path. */
function createdBelow(
  child: ResourceModel,
  { resource: parent, field }: NonNullable<ResourcePath['parent']>,
): { readonly type: string; readonly schema: JsonSchema } | undefined {
  const { schema, types } = child
  const key = nestedKey(child, field)
  return (
    key && {
      type: `${types.row}-of-${parent.types.row}`,
      schema: { ...schema, properties: { ...schema.properties, [field]: key } },
    }
  )
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
