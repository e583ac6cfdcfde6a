import type { Request } from 'express'
import { isObject } from '../../json/values.ts'
import { renamed } from '../../shape/response-shape.ts'
import { openRow, unwrap } from '../../shape/unwrap.ts'
import type { Catalog } from '../../storage/engine/engine.ts'
import { foreignKey, listKey, pluralOf } from '../../storage/relations/relations.ts'
import type { Naming, Row } from '../../storage/types.ts'
import { type RequestShape, shapeOf } from './request-shape.ts'
import type { Stored } from './stored-names.ts'

/** Makes `req.body` what it would be without a shape: the row or the rows, with stored names. */
export function unwrapBody(req: Request, catalog: Catalog): void {
  const request = shapeOf(req)
  if (!request || req.body === undefined) return
  const { shape, resource, stored } = request
  if (/json-patch/i.test(req.headers['content-type'] ?? '')) {
    if (stored) req.body = withStoredPaths(req.body, stored)
    return
  }
  const isNew = req.method === 'POST'
  const mayBeList = isNew && catalog.kindOf(resource) === 'collection'
  const body: unknown = unwrap(req.body, shape.template, resource, mayBeList)
  const open = (value: unknown) => {
    const row = plainRow(value, request, isNew, catalog.naming)
    return stored ? renamed(row, stored) : row
  }
  req.body = Array.isArray(body) ? body.map(open) : open(body)
}

function plainRow(
  value: unknown,
  { shape, id, resource, stored }: RequestShape,
  isNew: boolean,
  naming: Naming,
): unknown {
  const opened = openRow(value, shape.template, resource)
  if (!opened) return value
  const { fields, relationships, isIdText } = opened
  const own = isIdText ? asId(opened.id) : opened.id
  return {
    ...(isNew && own !== undefined && { [shape.showKey?.(id) ?? id]: own }),
    ...fields,
    ...keysIn(relationships, naming, stored),
  }
}

/** Where ids are sent as text, those that look like numbers are. */
function asId(id: unknown): unknown {
  return typeof id === 'string' && String(Number(id)) === id ? Number(id) : id
}

/** `{ "company": { "data": { "type": "companies", "id": "3" } } }` → `{ "company_id": 3 }` */
function keysIn(relationships: unknown, naming: Naming, stored: Stored = (name) => name): Row {
  const keys: Row = {}
  for (const [name, relationship] of Object.entries(isObject(relationships) ? relationships : {})) {
    const data: unknown = isObject(relationship) ? relationship.data : undefined
    const collection = pluralOf(stored(name))
    if (Array.isArray(data)) keys[listKey(collection, naming)] = data.map((one) => asId(Object(one).id))
    else if (isObject(data)) keys[foreignKey(collection, naming)] = asId(data.id)
    else if (data === null) keys[foreignKey(collection, naming)] = null
  }
  return keys
}

function withStoredPaths(body: unknown, stored: Stored): unknown {
  if (!Array.isArray(body)) return body
  const path = (text: unknown) => (typeof text === 'string' ? text.split('/').map(stored).join('/') : text)
  return body.map((operation: unknown) =>
    isObject(operation)
      ? {
          ...operation,
          ...('path' in operation && { path: path(operation.path) }),
          ...('from' in operation && { from: path(operation.from) }),
          ...('value' in operation && { value: renamed(operation.value, stored) }),
        }
      : operation,
  )
}
