import { urlSegment } from '../../core/kernel/json/url-segment.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { listOf, resolved, type Schema } from '../client/field-schema.ts'

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

/** The parts of an OpenAPI document that the page shows; undefined if `root` is not such a document. */
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

export interface Operation {
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly raw: Schema
}

export interface OperationDetails {
  readonly description: string
  readonly parameters: readonly Parameter[]
  /** The fields that it can be filtered by, each with its operators: `_gte`, and nothing for equality. */
  readonly filters: ReadonlyMap<string, readonly string[]>
  readonly body?: { types: readonly string[]; example: unknown }
  readonly responses: readonly Response[]
  /** Credentials that a client must send: `api-key (header X-API-KEY)`. */
  readonly guards: readonly string[]
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description: string
}

export interface Response {
  readonly status: number
  readonly description: string
  readonly headers: readonly string[]
  /** Media types of the body. */
  readonly types: readonly string[]
  readonly example?: unknown
}

/** Only for what is looked at: a large document has a million references. */
export function readOperation({ raw }: Operation, root: Schema): OperationDetails {
  const parameters = listOf(raw.parameters).filter(isObject)
  const isFilter = ({ $ref }: Schema) => typeof $ref === 'string' && FILTER.test($ref)
  const body = resolved(raw.requestBody, root)
  const content = isObject(body.content) ? body.content : undefined
  return {
    description: String(raw.description ?? ''),
    parameters: parameters
      .filter((parameter) => !isFilter(parameter))
      .map((parameter) => readParameter(resolved(parameter, root))),
    filters: readFilters(parameters.filter(isFilter).map((parameter) => resolved(parameter, root))),
    ...(content && { body: { types: Object.keys(content), example: exampleIn(content) } }),
    responses: responsesOf(raw, root),
    guards: readGuards(raw.security, root),
  }
}

export function responsesOf({ responses }: Schema, root: Schema): readonly Response[] {
  return Object.entries(isObject(responses) ? responses : {}).map(([status, response]) =>
    readResponse(Number(status), resolved(response, root)),
  )
}

/** References to the filters that operations share. */
const FILTER = /^#\/components\/parameters\/filter-\d+$/

function readParameter(parameter: Schema): Parameter {
  return {
    name: String(parameter.name ?? ''),
    in: parameter.in === 'path' || parameter.in === 'header' ? parameter.in : 'query',
    description: String(parameter.description ?? ''),
  }
}

/** The description of a filter begins with its field. */
function readFilters(filters: readonly Schema[]): ReadonlyMap<string, readonly string[]> {
  const byField = new Map<string, string[]>()
  for (const { name, description } of filters) {
    const [, field = ''] = /^`(.+?)` /.exec(String(description)) ?? []
    byField.set(field, [...(byField.get(field) ?? []), String(name).slice(field.length)])
  }
  return byField
}

function readResponse(status: number, response: Schema): Response {
  const example = exampleIn(response.content)
  return {
    status,
    description: String(response.description ?? ''),
    headers: keysOf(response.headers),
    types: keysOf(response.content),
    ...(example !== undefined && { example }),
  }
}

function keysOf(value: unknown): readonly string[] {
  return Object.keys(isObject(value) ? value : {})
}

function exampleIn(content: unknown): unknown {
  const [media] = Object.values(isObject(content) ? content : {})
  return isObject(media) ? media.example : undefined
}

function readGuards(security: unknown, root: Schema): readonly string[] {
  const names = listOf(security).flatMap((needed) => (isObject(needed) ? Object.keys(needed) : []))
  return names.map((name) => {
    const scheme = resolved({ $ref: `#/components/securitySchemes/${name}` }, root)
    return scheme.type === 'apiKey'
      ? `${name} (header ${scheme.name})`
      : `${name} (header Authorization: Bearer …)`
  })
}
