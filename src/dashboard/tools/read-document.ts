import { urlSegment } from '../../json/url-segment.ts'
import { isObject } from '../../json/values.ts'
import { listOf, resolved, type Schema } from '../client/field-schema.ts'
import type { Operation } from './read-operation.ts'

export interface Resource {
  readonly name: string
  readonly kind: 'collection' | 'object'
  readonly schema: Schema
  readonly operations: readonly Operation[]
}

export interface ApiDocument {
  readonly about: readonly string[]
  /** Base URLs besides this one: rewrite rules lead there. */
  readonly otherBases: readonly string[]
  readonly resources: readonly Resource[]
  readonly others: readonly Operation[]
  /** The whole document, in which references lead. */
  readonly root: Schema
}

const SERVER = 'server'

/** What the page shows of an OpenAPI document; undefined if it is none. */
export function readDocument(root: unknown): ApiDocument | undefined {
  if (!isObject(root) || typeof root.openapi !== 'string' || !isObject(root.paths)) return undefined
  const info = isObject(root.info) ? root.info : {}
  const byResource = new Map<string | undefined, Operation[]>()
  for (const operation of operationsIn(root.paths)) {
    const name = resourceOf(operation)
    const group = byResource.get(name) ?? []
    group.push(operation)
    byResource.set(name, group)
  }
  return {
    about: String(info.description ?? '').split('\n\n'),
    otherBases: listOf(root.servers)
      .slice(1)
      .filter(isObject)
      .map(({ url }) => String(url)),
    resources: resourcesIn(root).map((resource) => {
      const operations = byResource.get(resource.name) ?? []
      const isOwn = ({ path }: Operation) => isBelow(`/${urlSegment(resource.name)}`, path)
      const nested = operations.filter((one) => !isOwn(one))
      return { ...resource, operations: [...operations.filter(isOwn), ...nested] }
    }),
    others: byResource.get(undefined) ?? [],
    root,
  }
}

function operationsIn(paths: Schema): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]) => {
      if (!isObject(operation)) return []
      const summary = String(operation.summary ?? '')
      return [{ method: method.toUpperCase(), path, summary, raw: operation }]
    }),
  )
}

/** Undefined for paths of the server itself. A resource may be called like the server's tag. */
function resourceOf({ path, raw }: Operation): string | undefined {
  const tag = String(listOf(raw.tags)[0] ?? SERVER)
  return tag === SERVER && !isBelow(`/${SERVER}`, path) ? undefined : tag
}

function isBelow(parent: string, path: string): boolean {
  return path === parent || path.startsWith(`${parent}/`)
}

function resourcesIn(root: Schema): readonly Omit<Resource, 'operations'>[] {
  const database = resolved({ $ref: '#/components/schemas/Database' }, root)
  return Object.entries(isObject(database.properties) ? database.properties : {}).map(([name, inner]) => {
    const isList = isObject(inner) && inner.type === 'array'
    return {
      name,
      kind: isList ? 'collection' : 'object',
      schema: resolved(isList ? inner.items : inner, root),
    }
  })
}
