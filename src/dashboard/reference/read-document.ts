import { isObject } from '../../json/record.ts'
import { urlSegment } from '../../json/url-segment.ts'
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

/** The tag of the server itself. */
const SERVER = 'server'

/** What the page shows of an OpenAPI document; undefined if it is none. */
export function readDocument(root: unknown): ApiDocument | undefined {
  if (!isObject(root) || typeof root.openapi !== 'string' || !isObject(root.paths)) return undefined
  const info = isObject(root.info) ? root.info : {}
  const operations = operationsIn(root.paths)
  const described = resourcesIn(root)
  const nameOf = ({ tag, path }: Tagged) =>
    // A resource may be called like the server's own tag.
    tag === SERVER && !isBelow(`/${SERVER}`, path) ? undefined : tag
  const byName = new Map<string | undefined, Operation[]>()
  for (const one of operations) {
    const known = byName.get(nameOf(one)) ?? []
    known.push(one.operation)
    byName.set(nameOf(one), known)
  }
  const of = (name: string | undefined) => byName.get(name) ?? []
  return {
    about: String(info.description ?? '').split('\n\n'),
    otherBases: listOf(root.servers)
      .slice(1)
      .filter(isObject)
      .map(({ url }) => String(url)),
    resources: described.map((resource) => {
      const path = `/${urlSegment(resource.name)}`
      const operations = of(resource.name)
      const [own, nested] = [true, false].map((isOwn) =>
        operations.filter((one) => isBelow(path, one.path) === isOwn),
      )
      return { ...resource, operations: [...(own ?? []), ...(nested ?? [])] }
    }),
    others: of(undefined),
    root,
  }
}

interface Tagged {
  readonly tag: string
  readonly path: string
  readonly operation: Operation
}

function operationsIn(paths: Schema): readonly Tagged[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]) => {
      if (!isObject(operation)) return []
      const tag = String(listOf(operation.tags)[0] ?? SERVER)
      const summary = String(operation.summary ?? '')
      return [{ tag, path, operation: { method: method.toUpperCase(), path, summary, raw: operation } }]
    }),
  )
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
