import { isObject } from '../../core/kernel/json/values.ts'
import type { ApiDocument, DocumentNode } from './api-document.ts'

export interface Body {
  readonly schema: unknown
  readonly examples: readonly unknown[]
}

export interface Operation {
  readonly path: string
  readonly method: string
  /** For reports: `paths./pets.get` */
  readonly place: string
  readonly request: Body | undefined
  readonly response: Body | undefined
  /** Why its answers cannot be used. */
  readonly fault: string | undefined
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']
const JSON_TYPE = /^(?:\*\/\*|(?:application|text)\/(?:[\w.+-]*\+)?json)\b/i

/** All operations of a description, in its order. */
export function operationsOf(document: ApiDocument): readonly Operation[] {
  const { root } = document
  return Object.entries(document.object(root.paths)).flatMap(([path, item]) => {
    if (!path.startsWith('/')) return []
    const methods = document.object(item)
    return METHODS.flatMap((method) => {
      const found = document.resolve(methods[method])
      return isObject(found) ? [operationOf(path, method, found, document)] : []
    })
  })
}

function operationOf(
  path: string,
  method: string,
  operation: DocumentNode,
  document: ApiDocument,
): Operation {
  const place = `paths.${path}.${method}`
  const responses = Object.entries(document.object(operation.responses))
  const isGood = ([status]: readonly [string, unknown]) => /^2(?:\d\d|XX)$/i.test(status)
  const good = responses.filter(isGood).sort(([a], [b]) => (a < b ? -1 : 1))
  const [, named] = good[0] ?? responses.find(([status]) => status === 'default') ?? []
  const answer = contentOf(document.object(named), operation, document)
  return { path, method, place, request: requestOf(operation, document), ...answer }
}

function contentOf(
  response: DocumentNode,
  operation: DocumentNode,
  document: ApiDocument,
): Pick<Operation, 'response' | 'fault'> {
  const { schema, examples, content } = response
  // Swagger 2.0 has the schema in the response, and the media types in the operation.
  if (schema !== undefined) {
    const types = listOf(operation.produces ?? document.root.produces ?? [])
    const isJson = types.length === 0 || types.some((type) => JSON_TYPE.test(type))
    const given = isObject(examples) ? Object.entries(examples).filter(([type]) => JSON_TYPE.test(type)) : []
    if (!isJson) return { response: undefined, fault: `${shortTypes(types)} only` }
    return { response: { schema, examples: given.map(([, value]) => value) }, fault: undefined }
  }
  const types = Object.keys(document.object(content))
  const body = jsonBody(content, document)
  const fault = body || types.length === 0 ? undefined : `${shortTypes(types)} only`
  return { response: body, fault }
}

/** `XML` for application/xml */
function shortTypes(types: readonly string[]): string {
  const names = types.map((type) => /^[^/]+\/(?:x-|vnd\.)?([^;]+)/.exec(type)?.[1] ?? type)
  return names.map((name) => (name.length <= 4 ? name.toUpperCase() : name)).join(', ')
}

function requestOf(operation: DocumentNode, document: ApiDocument): Body | undefined {
  const { content } = document.object(operation.requestBody)
  if (content !== undefined) return jsonBody(content, document)
  const parameters = listed(operation.parameters).map((each) => document.object(each))
  const body = parameters.find((each) => each.in === 'body')
  if (body) return { schema: body.schema, examples: [] }
  const fields = parameters.filter((each) => each.in === 'formData')
  if (fields.length === 0) return undefined
  const properties = Object.fromEntries(
    fields.map(({ name, in: _, required: __, ...schema }) => [String(name), schema]),
  )
  return { schema: { type: 'object', properties }, examples: [] }
}

function jsonBody(content: unknown, document: ApiDocument): Body | undefined {
  const all = Object.entries(document.object(content))
  const [, media] = all.find(([type]) => JSON_TYPE.test(type)) ?? []
  if (media === undefined) return undefined
  const { schema, example, examples } = document.object(media)
  const named = Object.values(document.object(examples)).map((each) => document.object(each))
  const values = named.map((each) => each.value ?? each.dataValue).filter((value) => value !== undefined)
  return { schema, examples: example === undefined ? values : [example, ...values] }
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function listOf(value: unknown): readonly string[] {
  return listed(value).map(String)
}
