import type { Content } from '../../../core/kernel/catalogue/endpoint.ts'
import { type OperationKind, PATCHES } from '../../../core/kernel/catalogue/operation-kinds.ts'
import { isSchema, mapInner } from '../../../core/kernel/json/schema-document.ts'
import type { JsonSchema } from '../../../wings/schemas/json-schema.ts'
import type { ResponseShape } from '../../../wings/shapes/response-shape.ts'
import type { ApiModel, ResourceModel } from '../api-model.ts'
import { relationsOf } from '../relations.ts'
import { errorSchema } from '../shaped.ts'
import type { DescribedError } from './errors.ts'

export function listOf(model: ApiModel, resource: ResourceModel): Content {
  const { example } = resource
  const items = withRelations(model, resource)
  return { schema: { type: 'array', items }, ...(example !== undefined && { example: [example] }) }
}

export function withRelations(model: ApiModel, resource: ResourceModel): object {
  const row = refTo(resource.types.row)
  const relations = relationsOf(model, resource).slice(0, MOST_RELATIONS)
  if (relations.length === 0) return row
  const fields = relations.map((relation) => {
    const one = refTo(relation.resource.types.row)
    return [relation.name, relation.isMany ? { type: 'array', items: one } : one] as const
  })
  return { allOf: [row, { type: 'object', properties: Object.fromEntries(fields) }] }
}

export function idParameter(name: string, { idSchema }: ResourceModel): object {
  const { type = 'string' } = idSchema
  return { name, in: 'path', required: true, schema: { type } }
}

export function refTo(schema: string): { $ref: string } {
  return componentRef('schemas', schema)
}

export function componentRef(kind: string, name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` }
}

export function bodiesOf(
  kind: OperationKind,
  body: Content,
  type = 'application/json',
): Record<string, object> {
  const others = Object.entries(body.others ?? {}).map(
    ([other, schema]) => [other, media({ schema })] as const,
  )
  const json = { [type]: media(body), ...Object.fromEntries(others) }
  if (!PATCHES.includes(kind)) return json
  return {
    ...json,
    'application/merge-patch+json': media(body),
    'application/json-patch+json': { schema: { type: 'array', items: JSON_PATCH } },
  }
}

export function media({ schema, example }: Content): object {
  return {
    schema: withoutKeywords({ ...schema }),
    ...(example !== undefined && !refers(example) && { example }),
  }
}

export function errorResponse(errors: readonly DescribedError[], shape?: ResponseShape): object {
  const codes = [...new Set(errors.flatMap(({ code, isBare }) => (isBare ? [] : [code])))]
  const schema = (shape && errorSchema(shape, codes)) ?? plainErrorSchema(codes)
  return {
    description: errors.map(({ code, when }) => `\`${code}\`: ${when}`).join('; '),
    ...(codes.some((code) => WAITS.includes(code)) && { headers: { 'Retry-After': RETRY_AFTER } }),
    content: {
      [(shape?.hasErrors ? shape.errorType : undefined) ?? 'application/json']: {
        schema: errors.some(({ isBare }) => isBare)
          ? { anyOf: [EMPTY, ...(codes.length > 0 ? [schema] : [])] }
          : schema,
      },
    },
  }
}

function plainErrorSchema(codes: readonly string[]): JsonSchema {
  const ofCodes = {
    type: 'object',
    properties: { code: { type: 'string', enum: codes } },
    required: ['code'],
  }
  return { allOf: [refTo('Error'), ofCodes] }
}

export const ERROR_SCHEMA = {
  type: 'object',
  title: 'Error',
  properties: {
    error: { type: 'string', description: 'Short name' },
    message: { type: 'string', description: 'What to do' },
    code: { type: 'string', description: 'For programs' },
    timestamp: { type: 'string', format: 'date-time' },
    errors: {
      type: 'object',
      description: 'What is wrong with which field, by its path',
      additionalProperties: { type: 'string' },
    },
  },
  required: ['error', 'message', 'code'],
}

const MOST_RELATIONS = 100

const JSON_PATCH = {
  type: 'object',
  properties: {
    op: { type: 'string', enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
    path: { type: 'string' },
    from: { type: 'string' },
    value: {},
  },
  required: ['op', 'path'],
}

/** Names of fields that tools take for keywords, wherever they are. */
const KEYWORDS = ['$ref', '$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$schema']

function refers(example: unknown): boolean {
  if (typeof example !== 'object' || example === null) return false
  return Object.entries(example).some(([key, value]) => KEYWORDS.includes(key) || refers(value))
}

/** The schema with fields of such names as patterns, which means the same. */
export function withoutKeywords(schema: JsonSchema): JsonSchema {
  const inner: JsonSchema = mapInner(schema, (part) => (isSchema(part) ? withoutKeywords(part) : part))
  const { properties = {}, patternProperties, ...rest } = inner
  const found = KEYWORDS.filter((name) => Object.hasOwn(properties, name))
  if (found.length === 0) return inner
  const others = Object.entries(properties).filter(([name]) => !found.includes(name))
  const patterns = found.map((name) => [`^[$]${name.slice(1)}$`, properties[name]])
  return {
    ...rest,
    properties: Object.fromEntries(others),
    patternProperties: { ...Object(patternProperties), ...Object.fromEntries(patterns) },
  }
}

const WAITS: readonly string[] = ['RATE_LIMIT_EXCEEDED', 'SERVER_BUSY', 'TOO_MANY_SESSIONS']
const RETRY_AFTER = { description: 'Seconds', schema: { type: 'integer' } }

const EMPTY: JsonSchema = { type: 'object', maxProperties: 0 }

/** The only error without a code: clients of json-server rely on it. */
export const NOT_FOUND = {
  description: 'Not found',
  content: { 'application/json': { schema: EMPTY } },
}
