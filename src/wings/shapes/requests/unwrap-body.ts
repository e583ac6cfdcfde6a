import type { Request } from 'express'
import type { EngineAccess } from '../../../core/engine/engine.ts'
import { collectionOfOne, foreignKey, listKey, pluralOf } from '../../../core/engine/relations/relations.ts'
import type { Row } from '../../../core/engine/types.ts'
import { isObject } from '../../../core/kernel/json/values.ts'
import { RequestError } from '../../../core/router/request-error.ts'
import { idLike } from '../../../core/router/upsert.ts'
import { renamed } from '../response-shape.ts'
import { type OpenedRow, openRow, unwrap } from '../unwrap.ts'
import { type RequestShape, requestShapes } from './request-shape.ts'
import type { Stored } from './stored-names.ts'

/**
 * Makes `req.body` what it would be without a shape: the row or the rows, with stored names.
 * @param itemId of the row that the path leads to
 */
export async function unwrapBody(
  req: Request,
  engine: EngineAccess,
  itemId: string | undefined,
): Promise<void> {
  const request = requestShapes.get(req)
  if (!request || req.body === undefined) return
  const { shape, resource, stored } = request
  if (/json-patch/i.test(req.headers['content-type'] ?? '')) {
    if (stored) req.body = withStoredPaths(req.body, stored)
    return
  }
  const isNew = req.method === 'POST'
  const mayBeList = isNew && engine.kindOf(resource) === 'collection'
  const body: unknown = unwrap(req.body, shape.template, resource, mayBeList)
  const open = async (value: unknown) => {
    const opened = openRow(value, shape.template, resource, body !== req.body)
    if (opened) checkPlace(opened, resource, itemId)
    return opened ? plainRow(opened, request, mayBeList, engine) : toStored(value, stored)
  }
  req.body = Array.isArray(body) ? await Promise.all(body.map(open)) : await open(body)
}

/** A row that says its resource must be the one that the path leads to, as in JSON:API. */
function checkPlace({ resources, id }: OpenedRow, resource: string, itemId: string | undefined): void {
  if (resources.some((name) => name !== undefined && name !== resource))
    throw new RequestError('CONFLICT', `The body is for another resource: the path leads to ${resource}.`)
  const isOther = resources.length > 0 && id !== undefined && id !== itemId && id !== Number(itemId)
  if (itemId !== undefined && isOther)
    throw new RequestError('CONFLICT', `The body is for another row: the path leads to id ${itemId}.`)
}

async function plainRow(
  opened: OpenedRow,
  { shape, id, resource, stored }: RequestShape,
  isNew: boolean,
  engine: EngineAccess,
): Promise<unknown> {
  const { fields, relationships, isIdText } = opened
  const own = isNew && isIdText ? await asId(opened.id, resource, engine) : opened.id
  const row = { ...(isNew && own !== undefined && { [shape.showKey?.(id) ?? id]: own }), ...fields }
  return { ...Object(toStored(row, stored)), ...(await keysIn(relationships, engine, stored)) }
}

/** In stored names, if clients have others. */
function toStored(value: unknown, stored: Stored | undefined): unknown {
  return stored ? renamed(value, stored, refuseBoth) : value
}

function refuseBoth(name: string, other: string): never {
  throw new RequestError('INVALID_BODY', `${other} and ${name} are the same field. Send one of them.`)
}

/** Where ids are sent as text, they are stored as the others of that collection. */
function asId(id: unknown, collection: string, engine: EngineAccess): unknown {
  return typeof id === 'string' ? idLike({ engine }, collection, id) : id
}

/** `{ "company": { "data": { "type": "companies", "id": "3" } } }` → `{ "company_id": 3 }` */
async function keysIn(relationships: unknown, engine: EngineAccess, stored?: Stored): Promise<Row> {
  const keys: Row = {}
  const { naming } = engine
  for (const [name, relationship] of Object.entries(isObject(relationships) ? relationships : {})) {
    const data: unknown = isObject(relationship) ? relationship.data : undefined
    const one = stored?.(name) ?? name
    const collection = collectionOfOne(one, engine) ?? pluralOf(one)
    const idOf = (one: unknown) => asId(Object(one).id, collection, engine)
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
          ...('value' in operation && { value: toStored(operation.value, stored) }),
        }
      : operation,
  )
}
