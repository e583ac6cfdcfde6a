import { isObject } from '../../json/values.ts'
import { listOf, resolved, type Schema } from '../client/field-schema.ts'

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
  /** What a client must send: `api-key (header X-API-KEY)`. */
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

/** What the server calls the filters that operations share. */
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
