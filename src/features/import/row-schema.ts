import { isObject, isSameJson } from '../../core/kernel/json/values.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { fieldIn, findRow, typesOf } from './envelope.ts'
import type { Resource } from './find-resources.ts'
import { jsonApiRow } from './json-api.ts'
import type { FoundReference } from './references.ts'
import { alternatives, type SchemaBook, SERVED } from './schema-book.ts'

export interface ImportedSchema {
  /** As the settings have it: no documented request is refused. */
  readonly schema: JsonSchema
  /** As the description has it: for rows that are made. */
  readonly row: JsonSchema
  readonly ids: 'uuid' | 'nanoid' | undefined
}

/** @param made a value that a schema allows, for a field that no request has */
export function rowSchemaOf(
  resource: Resource,
  references: readonly FoundReference[],
  book: SchemaBook,
  made: (schema: JsonSchema, name: string) => unknown,
): ImportedSchema {
  const { id, kind } = resource
  const whole = book.shallow(resource.row)
  const keys = references.filter(({ field }) => !Object.hasOwn(whole.properties ?? {}, field))
  const { properties: plain = {}, required: always = [], [SERVED]: _, ...rest } = whole
  const properties = { ...plain, ...Object.fromEntries(keys.map((key) => [key.field, keySchema(key)])) }
  const row = { ...rest, properties, required: [...always, ...keys.map(({ field }) => field)] }
  const requests = requestsOf(resource, book)
  const ids = kind === 'collection' ? idsOf(row, id, book) : { ids: undefined }
  if (alternatives(whole).length > 0) return { ...ids, row, schema: either(row, requests, resource, book) }

  const own: Record<string, JsonSchema> = { ...properties }
  const names = new Set(requests.flatMap(({ fields }) => Object.keys(fields)))
  for (const { fields } of requests) {
    for (const [name, field] of Object.entries(fields)) {
      const known = Object.hasOwn(own, name) ? own[name] : undefined
      if (known === undefined) own[name] = field
      else if (!isSameJson(bare(book.shallow(known)), bare(book.shallow(field))))
        own[name] = { anyOf: [known, field] }
    }
  }
  const wholes = requests.filter(({ isPartial }) => !isPartial)
  const served = Array.isArray(whole[SERVED]) ? whole[SERVED].map(String) : []
  const required = new Set([...always, ...served])
  for (const name of required) {
    if (name === id || wholes.every(({ needed }) => needed.includes(name))) continue
    const field = own[name]
    if (!field) {
      required.delete(name)
      continue
    }
    const { $ref, ...others } = field
    const standard = others.default ?? made(field, name)
    if (standard === undefined) required.delete(name)
    else {
      const isOurs = !names.has(name)
      own[name] = {
        ...others,
        ...($ref !== undefined && { $ref }),
        default: standard,
        ...(isOurs && { readOnly: true }),
      }
    }
  }
  const idField = own[id]
  if (kind === 'collection' && idField) own[id] = plainId(book.shallow(idField))
  const schema = { ...rest, properties: own, ...(required.size > 0 && { required: [...required] }) }
  const { required: __, ...free } = schema
  return { ...ids, row, schema: required.size > 0 ? schema : free }
}

interface Request {
  readonly schema: JsonSchema
  readonly fields: Readonly<Record<string, JsonSchema>>
  readonly needed: readonly string[]
  readonly isPartial: boolean
}

/** Bodies that clients send: whole rows, or with PATCH parts of one. */
function requestsOf({ operations, item, id }: Resource, book: SchemaBook): readonly Request[] {
  return operations.flatMap(({ method, request, place }): Request[] => {
    const isPartial = method === 'patch'
    if (!isPartial && method !== 'post' && method !== 'put') return []
    const sent = request ? book.translate(request.schema, place) : {}
    const inside = item && item.path.length > 0 ? at(book, sent, item.path) : undefined
    const schema =
      inside ?? findRow(book, sent, (row) => fieldIn(book, row, id) !== undefined)?.schema ?? sent
    const flat = jsonApiRow(book, schema) ?? attributesOf(book, schema) ?? schema
    const { properties = {}, required = [] } = book.shallow(flat)
    return [{ schema: flat, fields: properties, needed: required, isPartial }]
  })
}

function at(book: SchemaBook, schema: JsonSchema, path: readonly string[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>((here, name) => here && fieldIn(book, here, name), schema)
}

/** A new resource object of JSON:API has no id yet. */
function attributesOf(book: SchemaBook, schema: JsonSchema): JsonSchema | undefined {
  return fieldIn(book, schema, 'type') && fieldIn(book, schema, 'attributes')
}

/** A row with alternatives, or what a request has. */
function either(
  row: JsonSchema,
  requests: readonly Request[],
  { id }: Resource,
  book: SchemaBook,
): JsonSchema {
  const { $defs: _, ...own } = row
  const sent = requests.filter(({ schema }) => !isSameJson(book.shallow(schema), book.shallow(own)))
  if (sent.length === 0) return own
  const open = sent.map(({ schema }) => {
    const { additionalProperties: _, [SERVED]: __, ...whole } = book.shallow(schema)
    const { [id]: ___, ...properties } = whole.properties ?? {}
    const { required: ____, ...rest } = whole
    return { ...rest, properties }
  })
  return { anyOf: [own, ...open] }
}

/** Without notes, which do not change what is allowed. */
function bare(schema: JsonSchema): JsonSchema {
  const {
    title: _,
    description: __,
    examples: ___,
    default: ____,
    readOnly: _____,
    writeOnly: ______,
    ...rest
  } = schema
  return rest
}

function keySchema({ isList }: FoundReference): JsonSchema {
  return isList ? { type: 'array' } : { type: ['integer', 'string'] }
}

/** The server makes ids: only their kind is judged. */
function plainId(schema: JsonSchema): JsonSchema {
  const { description, format, readOnly } = schema
  const type = typesOf(schema).filter((each) => ['string', 'integer', 'number'].includes(each))
  const [only] = type
  return {
    ...(description !== undefined && { description }),
    ...(only !== undefined && { type: only as 'string' | 'integer' | 'number' }),
    ...(format === 'uuid' && { format }),
    ...(readOnly === true && { readOnly }),
  }
}

function idsOf(row: JsonSchema, id: string, book: SchemaBook): Pick<ImportedSchema, 'ids'> {
  const field = fieldIn(book, row, id)
  const { format, ...schema } = field ? book.shallow(field) : {}
  if (!isObject(field) || typesOf(schema)[0] !== 'string') return { ids: undefined }
  return { ids: format === 'uuid' ? 'uuid' : 'nanoid' }
}
