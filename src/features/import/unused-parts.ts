import { isObject } from '../../core/kernel/json/values.ts'
import type { ApiDocument, DocumentNode } from './api-document.ts'
import type { Operation } from './operations.ts'
import type { Unused } from './report.ts'
import type { SchemaBook } from './schema-book.ts'

/** Operations that need what a reference does not lead to. */
export function whyLost(
  operations: readonly Operation[],
  book: SchemaBook,
): readonly (readonly [Operation, string])[] {
  const schemas = operations.map((operation) => {
    const bodies = [operation.response, operation.request].filter((body) => body !== undefined)
    return [operation, bodies.map(({ schema }) => book.translate(schema, operation.place))] as const
  })
  if (book.lost.size === 0) return []
  return schemas.flatMap(([operation, all]) => {
    const ref = all.map((schema) => book.lostIn(schema)).find((each) => each !== undefined)
    return ref === undefined
      ? []
      : [[operation, `it needs ${ref}, which is not in this document or its folder`] as const]
  })
}

/** Parts of a description that say nothing of data, and what was left out of schemas. */
export function otherParts(document: ApiDocument, book: SchemaBook): readonly Unused[] {
  const { root } = document
  const items = Object.entries(document.object(root.paths))
  const callbacks = items.flatMap(([path, item]) =>
    Object.entries(document.object(item)).flatMap(([method, operation]) =>
      isObject(operation) && operation.callbacks !== undefined
        ? [{ place: `paths.${path}.${method}.callbacks`, why: 'nothing is called back' }]
        : [],
    ),
  )
  const lost = items.flatMap(([path, item]) => {
    const isLost = document.resolve(item) === undefined
    return isLost
      ? [{ place: `paths.${path}`, why: `it needs ${Object(item).$ref}, which is not in this document` }]
      : []
  })
  const webhooks = Object.keys(document.object(root.webhooks))
  return [
    ...lost,
    ...callbacks,
    ...webhooks.map((name) => ({ place: `webhooks.${name}`, why: 'nothing is called' })),
    ...[...book.notes].map(([place, why]) => ({ place, why })),
    ...securityOf(document),
  ]
}

function securityOf(document: ApiDocument): readonly Unused[] {
  const { components, securityDefinitions } = document.root
  const schemes = {
    ...document.object(securityDefinitions),
    ...document.object(document.object(components).securitySchemes),
  }
  return Object.entries(schemes).map(([name, scheme]) => {
    const layer = layerOf(document.object(scheme))
    return { place: `security.${name}`, why: `nothing is guarded; the layer ${layer} would do that` }
  })
}

function layerOf({ type, scheme }: DocumentNode): string {
  if (type === 'apiKey') return 'api-key'
  return type === 'http' && String(scheme).toLowerCase() === 'bearer' ? 'bearer' : 'accounts'
}
