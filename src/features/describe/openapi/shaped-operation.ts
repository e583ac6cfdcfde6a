import type { Content, Endpoint } from '../../../core/kernel/catalogue/endpoint.ts'
import { DATA_OPERATIONS, ROW_READS } from '../../../core/kernel/catalogue/operation-kinds.ts'
import { isObject } from '../../../core/kernel/json/values.ts'
import type { JsonSchema } from '../../../wings/schemas/json-schema.ts'
import type { ResponseShape } from '../../../wings/shapes/response-shape.ts'
import { PARAMETERS } from '../../../wings/shapes/shape-template.ts'
import { wordsIn } from '../../../wings/shapes/template.ts'
import { shapedSchema } from '../shaped.ts'

export interface Shaped {
  readonly shape: ResponseShape
  readonly resource: string
  readonly id: string
  /** The schema of a row without its id. */
  readonly fields: JsonSchema
}

/** An operation of a resource as the shape has it: what it takes, and what it responds with. */
export function shapedOperation(endpoint: Endpoint, shaped: Shaped): Endpoint {
  const { kind, body, response } = endpoint
  const { shape } = shaped
  return {
    ...endpoint,
    parameters: [...withoutOwn(endpoint.parameters ?? [], shape), ...parametersOf(kind, shape)],
    ...(body && { body: shapedBody(body, shaped) }),
    response: NOTHING.includes(kind)
      ? { mediaType: 'application/json', ...response }
      : { ...response, ...shapedContent(response, LISTS.includes(kind), shaped) },
  }
}

const LISTS: readonly string[] = ['list', 'patchMany']

/** Operations whose response has no shape. */
const NOTHING: readonly string[] = ['delete', 'deleteMany']

function shapedBody({ schema, example }: Content, { shape, resource, id }: Shaped): Content {
  const row: JsonSchema = { ...schema }
  const isOfId = (key: string) => wordsIn(Reflect.get(Object(shape.template.row), key)).includes('id')
  const withoutId = (sent: unknown) => {
    const shown = Object.entries(Object(shape.shownRow(sent, id, { resource })))
    return Object.fromEntries(shown.filter(([key]) => !isOfId(key)))
  }
  return {
    schema: shapedSchema(shape, 'body', resource, row, row),
    ...(example !== undefined && { example: shape.item({ resource, row: withoutId(example) }) }),
  }
}

function shapedContent({ schema, example }: Content, isList: boolean, shaped: Shaped): Content {
  const { shape, resource, fields } = shaped
  const row: JsonSchema = { ...(isList ? Object(Reflect.get(schema, 'items')) : schema) }
  return {
    schema: shapedSchema(shape, isList ? 'list' : 'item', resource, row, fields),
    ...(example !== undefined && { example: shapedExample(example, isList, shaped) }),
  }
}

function shapedExample(example: unknown, isList: boolean, { shape, resource, id }: Shaped): unknown {
  // Examples have the names already that clients know.
  const show = (row: unknown) => shape.shownRow(row, id, { resource })
  if (!isList) return shape.item({ resource, row: show(example) })
  const rows = Array.isArray(example) ? example.map(show) : []
  const { from = 1 } = shape.template.pages ?? {}
  return shape.list({ ...EXAMPLE, page: from, firstPage: from, lastPage: from, resource, rows }, 'page')
}

const EXAMPLE = {
  ...{ total: 1, pages: 1, size: 10, count: 1, start: 0, from: 1, to: 1 },
  ...{ first: null, last: null, next: null, prev: null, nextPage: null, prevPage: null, path: '' },
}

function parametersOf(kind: Endpoint['kind'], shape: ResponseShape): readonly object[] {
  const params: Readonly<Record<string, string | undefined>> = shape.template.params ?? {}
  if (!ROW_READS.includes(kind)) return []
  return Object.entries(PARAMETERS).flatMap(([key, [ours, type]]) => {
    const name = params[key]
    const isThere = kind === 'list' || key === 'fields' || key === 'embed'
    if (name === undefined || name === ours || key === 'lookup' || !isThere) return []
    const form = type === 'object' ? { style: 'deepObject', explode: true } : {}
    const schema = type === 'object' ? { type, additionalProperties: true } : { type }
    return [{ name, in: 'query', description: `As \`${ours}\``, ...form, schema }]
  })
}

/** A parameter of the shape wins over a filter of that name. */
function withoutOwn(parameters: readonly object[], shape: ResponseShape): readonly object[] {
  const names = new Set<unknown>(Object.values(shape.template.params ?? {}))
  return parameters.filter((one) => !(isObject(one) && one.in === 'query' && names.has(one.name)))
}

export function isOfData({ kind }: Pick<Endpoint, 'kind'>): boolean {
  return DATA_OPERATIONS.includes(kind) && kind !== 'database'
}
