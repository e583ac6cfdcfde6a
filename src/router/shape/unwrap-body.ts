import type { Request } from 'express'
import { isObject } from '../../json/values.ts'
import { renamed } from '../../shape/response-shape.ts'
import { openRow, unwrap } from '../../shape/unwrap.ts'
import { foreignKey, listKey, pluralOf } from '../../storage/relations/relations.ts'
import type { Row } from '../../storage/types.ts'
import type { RouterContext } from '../context.ts'
import { idLike } from '../upsert.ts'
import { type RequestShape, shapeOf } from './request-shape.ts'
import type { Stored } from './stored-names.ts'

/** Makes `req.body` what it would be without a shape: the row or the rows, with stored names. */
export async function unwrapBody(req: Request, context: Ids): Promise<void> {
  const request = shapeOf(req)
  if (!request || req.body === undefined) return
  const { shape, resource, stored } = request
  if (/json-patch/i.test(req.headers['content-type'] ?? '')) {
    if (stored) req.body = withStoredPaths(req.body, stored)
    return
  }
  const isNew = req.method === 'POST'
  const mayBeList = isNew && context.engine.kindOf(resource) === 'collection'
  const body: unknown = unwrap(req.body, shape.template, resource, mayBeList)
  const open = async (value: unknown) => {
    const row = await plainRow(value, request, mayBeList, context)
    return stored ? renamed(row, stored) : row
  }
  req.body = Array.isArray(body) ? await Promise.all(body.map(open)) : await open(body)
}

type Ids = Pick<RouterContext, 'engine'>

async function plainRow(
  value: unknown,
  { shape, id, resource, stored }: RequestShape,
  isNew: boolean,
  context: Ids,
): Promise<unknown> {
  const opened = openRow(value, shape.template, resource)
  if (!opened) return value
  const { fields, relationships, isIdText } = opened
  const own = isNew && isIdText ? await asId(opened.id, resource, context) : opened.id
  return {
    ...(isNew && own !== undefined && { [shape.showKey?.(id) ?? id]: own }),
    ...fields,
    ...(await keysIn(relationships, context, stored)),
  }
}

/** Where ids are sent as text, they are stored as the others of that collection. */
function asId(id: unknown, collection: string, context: Ids): unknown {
  return typeof id === 'string' ? idLike(context, collection, id) : id
}

/** `{ "company": { "data": { "type": "companies", "id": "3" } } }` → `{ "company_id": 3 }` */
async function keysIn(relationships: unknown, context: Ids, stored: Stored = (name) => name): Promise<Row> {
  const keys: Row = {}
  const { naming } = context.engine
  for (const [name, relationship] of Object.entries(isObject(relationships) ? relationships : {})) {
    const data: unknown = isObject(relationship) ? relationship.data : undefined
    const collection = pluralOf(stored(name))
    const idOf = (one: unknown) => asId(Object(one).id, collection, context)
    if (Array.isArray(data)) keys[listKey(collection, naming)] = await Promise.all(data.map(idOf))
    else if (isObject(data)) keys[foreignKey(collection, naming)] = await idOf(data)
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
