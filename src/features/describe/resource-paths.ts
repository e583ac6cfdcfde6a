import type { Endpoint } from '../../core/kernel/catalogue/endpoint.ts'
import type { OperationKind } from '../../core/kernel/catalogue/operation-kinds.ts'
import { urlSegment } from '../../core/kernel/json/url-segment.ts'
import type { ApiModel, ResourceModel } from './api-model.ts'

type Operation = readonly [method: Endpoint['method'], kind: OperationKind]

export interface ResourcePath {
  /** `/companies/{id}/products/{childId}` */
  readonly path: string
  readonly resource: ResourceModel
  /** Below the rows of another collection: that one, and the foreign key that leads to it. */
  readonly parent?: { readonly resource: ResourceModel; readonly field: string }
  /** Above the parent, the collection that the path begins with. */
  readonly above?: ResourceModel
  readonly operations: readonly Operation[]
}

const LIST: readonly Operation[] = [
  ['get', 'list'],
  ['post', 'create'],
  ['patch', 'patchMany'],
  ['delete', 'deleteMany'],
]

const OBJECT: readonly Operation[] = [
  ['get', 'object'],
  ['post', 'createObject'],
  ['put', 'replaceObject'],
  ['patch', 'patchObject'],
]

function itemOperations(replace: OperationKind): readonly Operation[] {
  return [
    ['get', 'item'],
    ['put', replace],
    ['patch', 'patch'],
    ['delete', 'delete'],
  ]
}

/** The paths of a resource: its own, and those of other collections below its rows. */
export function resourcePaths(
  { resources }: ApiModel,
  resource: ResourceModel,
  mostChildren = Number.POSITIVE_INFINITY,
): readonly ResourcePath[] {
  const path = `/${urlSegment(resource.name)}`
  if (resource.kind === 'object') return [{ path, resource, operations: OBJECT }]
  const collections = resources.filter(({ kind }) => kind === 'collection')
  const nested = childrenOf(collections, resource)
    .slice(0, mostChildren)
    .flatMap((child) => {
      const below = `${path}/{id}/${urlSegment(child.resource.name)}`
      return [
        { ...child, path: below, operations: LIST },
        { ...child, path: `${below}/{childId}`, operations: itemOperations('replaceNested') },
      ]
    })
  const deeper = nested
    .filter(({ operations }) => operations === LIST)
    .flatMap(({ path: above, resource: child }) =>
      childrenOf(collections, child)
        .filter((grandchild) => ![resource, child].includes(grandchild.resource))
        .map((grandchild) => ({ ...grandchild, above: resource, from: `${above}/{childId}` })),
    )
    .slice(0, mostChildren)
    .flatMap(({ from, ...grandchild }) => {
      const below = `${from}/${urlSegment(grandchild.resource.name)}`
      return [
        { ...grandchild, path: below, operations: LIST },
        { ...grandchild, path: `${below}/{grandchildId}`, operations: itemOperations('replaceNested') },
      ]
    })
  return [
    { path, resource, operations: LIST },
    { path: `${path}/{id}`, resource, operations: itemOperations('replace') },
    ...nested,
    ...deeper,
  ]
}

/** The collections whose rows refer to those of a resource, by their field that does. */
function childrenOf(collections: readonly ResourceModel[], resource: ResourceModel) {
  return collections.flatMap((child) =>
    child.references
      .filter(
        (reference) => reference.resource === resource.name && !reference.isList && !reference.isDeclared,
      )
      .map(({ field }) => ({ resource: child, parent: { resource, field } })),
  )
}
