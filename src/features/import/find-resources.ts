import { singularOf } from '../../core/engine/relations/relations.ts'
import { isSameJson } from '../../core/kernel/json/values.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { fieldIn, findRow, findRows, typesOf, type Wrapped } from './envelope.ts'
import { jsonApiRow } from './json-api.ts'
import type { Body, Operation } from './operations.ts'
import { type ApiPath, isSafeName, keyOf, type Segment } from './paths.ts'
import type { SchemaBook } from './schema-book.ts'

/** A collection or a single object that a description has, and where. */
export interface Resource {
  readonly name: string
  readonly kind: 'collection' | 'object'
  readonly id: string
  /** Of a row, in an answer. */
  readonly row: JsonSchema
  readonly isJsonApi: boolean
  readonly list: Wrapped | undefined
  readonly item: Wrapped | undefined
  /** Its paths, without that of an item. */
  readonly bases: Segment[][]
  readonly operations: Operation[]
}

const NAMES_OF_IDS = ['id', '_id', 'uuid', 'guid', 'gid']

/** The resources of a description. @param refuse hears why an operation is of none */
export function findResources(
  paths: ReadonlyMap<string, ApiPath>,
  book: SchemaBook,
  refuse: (operation: Operation, why: string) => void,
): readonly Resource[] {
  const resources = new Map<string, Resource>()
  for (const path of paths.values()) {
    const found = collectionAt(path, paths, book) ?? objectAt(path, paths, book)
    if (found) add(found)
  }
  return [...resources.values()]

  function add(found: Resource): void {
    const [base = []] = found.bases
    const before = base.slice(0, -1).findLast((each) => 'literal' in each)
    const prefix = before && 'literal' in before ? before.literal : ''
    const names = [found.name, ...(isSafeName(prefix) ? [`${prefix}_${found.name}`] : [])]
    for (const name of names) {
      const other = resources.get(name)
      if (!other) {
        resources.set(name, { ...found, name })
        return
      }
      if (other.kind !== found.kind || other.id !== found.id || !isSameJson(other.row, found.row)) continue
      other.bases.push([...base])
      other.operations.push(...found.operations)
      return
    }
    const why = `there are other rows of the name ${found.name}`
    for (const operation of found.operations) refuse(operation, why)
  }
}

function collectionAt(
  { segments, operations }: ApiPath,
  paths: ReadonlyMap<string, ApiPath>,
  book: SchemaBook,
): Resource | undefined {
  const last = segments.at(-1)
  if (!last || !('literal' in last) || !isSafeName(last.literal)) return undefined
  const name = last.literal
  const items = paths.get(`${keyOf(segments)}/{}`)
  const getAll = operations.get('get')
  const list = found(getAll?.response, getAll, book, (schema) => findRows(book, schema, name))
  const before = segments.at(-2)
  const isNested = before !== undefined && 'parameter' in before
  if (!(items && (list || operations.has('post'))) && !(list && isNested)) return undefined
  const parameter = items?.segments.at(-1)
  const named = parameter && 'parameter' in parameter ? [parameter.parameter] : []
  const one = singularOf(name)
  const ids = [...named, ...NAMES_OF_IDS, `${one}Id`, `${one}_id`]
  const idOf = (row: JsonSchema) => ids.find((id) => isIdField(book, fieldIn(book, row, id)))
  const item = itemOf(items, operations, book, (row) => idOf(row) !== undefined)
  const answered = item?.schema ?? list?.schema
  const request = operations.get('post')?.request ?? items?.operations.get('put')?.request
  const row = answered ?? (request && book.translate(request.schema, 'request'))
  const flat = row && jsonApiRow(book, row)
  const id = row && (flat ? 'id' : idOf(row))
  if (row === undefined || id === undefined) return undefined
  const own = [...operations.values()].filter(({ method }) =>
    method === 'get' ? list !== undefined : ['post', 'head'].includes(method),
  )
  const ofItems = [...(items?.operations.values() ?? [])].filter(({ method }) =>
    ['get', 'head', 'put', 'patch', 'delete'].includes(method),
  )
  return {
    ...{ name, kind: 'collection', id, row: flat ?? row, isJsonApi: flat !== undefined, list, item },
    bases: [[...segments]],
    operations: [...own, ...ofItems].filter(
      ({ fault, method }) => fault === undefined || method === 'delete',
    ),
  }
}

/** GET of an object, with PUT or PATCH, and no id. */
function objectAt(
  { segments, operations }: ApiPath,
  paths: ReadonlyMap<string, ApiPath>,
  book: SchemaBook,
): Resource | undefined {
  const last = segments.at(-1)
  if (!last || !('literal' in last) || !isSafeName(last.literal)) return undefined
  if (segments.some((each) => 'parameter' in each) || paths.has(`${keyOf(segments)}/{}`)) return undefined
  const get = operations.get('get')
  if (!get || !(operations.has('put') || operations.has('patch'))) return undefined
  const item = found(get.response, get, book, (schema) => {
    const isObject = typesOf(book.shallow(schema)).includes('object')
    return isObject ? { path: [], schema } : undefined
  })
  if (!item) return undefined
  return {
    ...{
      name: last.literal,
      kind: 'object',
      id: 'id',
      row: item.schema,
      isJsonApi: false,
      list: undefined,
      item,
    },
    bases: [[...segments]],
    operations: [...operations.values()].filter(({ method }) =>
      ['get', 'head', 'put', 'patch'].includes(method),
    ),
  }
}

function itemOf(
  items: ApiPath | undefined,
  operations: ApiPath['operations'],
  book: SchemaBook,
  hasId: (row: JsonSchema) => boolean,
): Wrapped | undefined {
  const candidates = [
    ...['get', 'put', 'patch'].map((method) => items?.operations.get(method)),
    operations.get('post'),
  ]
  for (const operation of candidates) {
    const item = found(operation?.response, operation, book, (schema) => {
      const flat = (row: JsonSchema) => hasId(row) || jsonApiRow(book, row) !== undefined
      return findRow(book, schema, flat)
    })
    if (item) return item
  }
  return undefined
}

function found(
  body: Body | undefined,
  operation: Operation | undefined,
  book: SchemaBook,
  find: (schema: JsonSchema) => { readonly path: readonly string[]; readonly schema: JsonSchema } | undefined,
): Wrapped | undefined {
  if (!body || !operation || operation.fault !== undefined) return undefined
  const around = book.translate(body.schema, operation.place)
  const rows = find(around)
  return rows && { ...rows, around, place: operation.place }
}

function isIdField(book: SchemaBook, field: JsonSchema | undefined): boolean {
  if (!field) return false
  const types = typesOf(book.shallow(field)).filter((type) => type !== 'null')
  return types.length > 0 && types.every((type) => ['string', 'integer', 'number'].includes(type))
}
