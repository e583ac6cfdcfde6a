import { isSchema, mapInner } from '../../core/kernel/json/schema-document.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { type ResponseShape, type ResponseShapes, renamed } from '../../wings/shapes/response-shape.ts'
import { type Template, wordIn, wordsIn } from '../../wings/shapes/template.ts'
import { WORDS } from '../../wings/shapes/words.ts'
import type { ApiModel, ResourceModel } from './api-model.ts'
import { withSchemas } from './definitions.ts'

type ShowKey = (name: string) => string

/** The model in the names that clients know. */
export function withShownKeys(model: ApiModel, shapes: ResponseShapes | undefined): ApiModel {
  if (!shapes) return model
  const resources = model.resources.map((resource) => {
    const show = shapes.of(resource.name)?.showKey
    return show ? shownResource(resource, show) : resource
  })
  return { ...model, resources }
}

function shownResource(resource: ResourceModel, show: ShowKey): ResourceModel {
  const { references, named, example, newExample } = resource
  return {
    ...withSchemas(resource, (schema) => shownSchema(schema, show)),
    references: references.map((reference) => ({
      ...reference,
      field: show(reference.field),
      relation: show(reference.relation),
    })),
    named: new Set([...named].map(show)),
    example: renamed(example, show),
    newExample: renamed(newExample, show),
  }
}

function shownSchema(schema: JsonSchema, show: ShowKey): JsonSchema {
  const inner: JsonSchema = mapInner(schema, (part) => (isSchema(part) ? shownSchema(part, show) : part))
  const { properties, required } = inner
  return {
    ...inner,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [show(name), field])),
    }),
    ...(required && { required: required.map(show) }),
  }
}

/** Schemas for the words of a template: of rows, and of words known more exactly. */
type Given = Readonly<Record<string, JsonSchema>>

/** The schema of what a template makes. @param isAlways which parts are never missing */
function templateSchema(template: Template, given: Given, isAlways = isNeverMissing): JsonSchema {
  if (typeof template === 'string') {
    const word = wordIn(template)
    if (word) return given[word] ?? { ...WORDS[word].schema }
    return template.includes('{$') ? { type: 'string' } : { const: template }
  }
  if (Array.isArray(template)) {
    const [first] = template
    return { type: 'array', ...(template.length > 0 && { items: templateSchema(first, given, isAlways) }) }
  }
  if (!isObject(template)) return template === null ? { type: 'null' } : { const: template }
  const entries = Object.entries(template).map(([key, value]) => {
    const name = key === '$resource' ? String(given.resource?.const ?? key) : key
    return [name, templateSchema(value, given, isAlways), isAlways(value)] as const
  })
  const required = entries.filter(([, , always]) => always).map(([name]) => name)
  return {
    type: 'object',
    ...(entries.length > 0 && {
      properties: Object.fromEntries(entries.map(([name, schema]) => [name, schema])),
    }),
    ...(required.length > 0 && { required }),
  }
}

function isNeverMissing(template: Template): boolean {
  const word = typeof template === 'string' ? wordIn(template) : undefined
  return word === undefined || WORDS[word].isOptional !== true
}

/** The schema of a resource's response or body, around a row. @param fields of the row, without its id */
export function shapedSchema(
  { template, separatesRelations }: ResponseShape,
  part: 'body' | 'item' | 'list',
  resource: string,
  row: JsonSchema,
  fields: JsonSchema,
): JsonSchema {
  const { list = '$rows', unpaged, offset, item = '$row', row: ofRow } = template
  // Of what clients send, only the row has to be there. A change of relationships has no fields.
  const needed = separatesRelations ? ['row'] : ['row', 'fields']
  const isRow = (one: Template) => wordsIn(one).some((word) => needed.includes(word))
  const isAlways = part === 'body' ? isRow : isNeverMissing
  const given: Given = { resource: { const: resource } }
  const shown = ofRow === undefined ? row : templateSchema(ofRow, { ...given, row, fields }, isAlways)
  if (part !== 'list') return templateSchema(item, { ...given, row: shown }, isAlways)
  const rows: JsonSchema = { type: 'array', items: shown }
  const paged = templateSchema(list, { ...given, rows })
  const others = [...new Set([unpaged, offset])].flatMap((one) =>
    one === undefined ? [] : templateSchema(one, { ...given, rows }),
  )
  return others.length === 0 ? paged : { anyOf: [...others, paged] }
}

/** The schema of errors with these codes; undefined where they have no template. */
export function errorSchema(shape: ResponseShape, codes: readonly string[]): JsonSchema | undefined {
  const { error, invalid } = shape.template
  if (error === undefined) return undefined
  const given = { code: { type: 'string', enum: codes } } as const
  const plain = templateSchema(error, given)
  const hasFields = invalid !== undefined && codes.some((code) => OF_FIELDS.includes(code))
  return hasFields ? { anyOf: [plain, templateSchema(invalid, given)] } : plain
}

const OF_FIELDS: readonly string[] = ['VALIDATION_FAILED', 'NOT_UNIQUE']
