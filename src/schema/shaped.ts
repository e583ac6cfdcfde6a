import { isSchema, mapInner } from '../json/schema-document.ts'
import { isObject } from '../json/values.ts'
import { type ResponseShape, type ResponseShapes, renamed } from '../shape/response-shape.ts'
import { type Template, wordIn, wordsIn } from '../shape/template.ts'
import { WORDS } from '../shape/words.ts'
import type { ApiModel, ResourceModel } from './api-model.ts'
import { withSchemas } from './definitions.ts'
import type { JsonSchema } from './json-schema.ts'

type ShowKey = (name: string) => string

/** The model in the names that clients know. */
export function withShownKeys(model: ApiModel, shapes: ResponseShapes | undefined): ApiModel {
  if (!shapes) return model
  const { foreignKeySuffix } = model.naming
  const resources = model.resources.map((resource) => {
    const show = shapes.of(resource.name)?.showKey
    return show ? shownResource(resource, show, foreignKeySuffix) : resource
  })
  return { ...model, resources }
}

function shownResource(resource: ResourceModel, show: ShowKey, suffix: string): ResourceModel {
  const { references, named, example, newExample } = resource
  return {
    ...withSchemas(resource, (schema) => shownSchema(schema, show)),
    references: references.map((reference) => {
      const { field, resource: name, isList } = reference
      const relation = isList ? name : field.slice(0, field.length - suffix.length)
      return { ...reference, field: show(field), relation: show(relation) }
    }),
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

/** What stands for the words of a template: schemas of rows, and of whatever is known more exactly. */
export type Given = Readonly<Record<string, JsonSchema>>

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

/** The schemas of one resource's responses. @param row of a plain row, and of its fields without the id */
export class ShapedSchemas {
  readonly #shape: ResponseShape
  readonly #given: Given

  constructor(shape: ResponseShape, resource: string) {
    this.#shape = shape
    this.#given = { resource: { const: resource } }
  }

  list(row: JsonSchema, fields: JsonSchema): JsonSchema {
    const { list = '$rows', unpaged, offset } = this.#shape.template
    const given = { ...this.#given, rows: { type: 'array', items: this.#row(row, fields) } } as const
    const paged = templateSchema(list, given)
    const others = [unpaged, offset].flatMap((one) => (one === undefined ? [] : [templateSchema(one, given)]))
    return others.length === 0 ? paged : { anyOf: [...others, paged] }
  }

  item(row: JsonSchema, fields: JsonSchema): JsonSchema {
    const { item = '$row' } = this.#shape.template
    return templateSchema(item, { ...this.#given, row: this.#row(row, fields) })
  }

  /** What clients send: only the row has to be there. */
  body(row: JsonSchema, fields: JsonSchema): JsonSchema {
    const { item = '$row' } = this.#shape.template
    // A change of relationships has no fields.
    const needed = this.#shape.separatesRelations ? ['row'] : ['row', 'fields']
    const isRow = (template: Template) => wordsIn(template).some((word) => needed.includes(word))
    return templateSchema(item, { ...this.#given, row: this.#row(row, fields, isRow) }, isRow)
  }

  #row(row: JsonSchema, fields: JsonSchema, isAlways?: (template: Template) => boolean): JsonSchema {
    const { row: template } = this.#shape.template
    if (template === undefined) return row
    return templateSchema(template, { ...this.#given, row, fields }, isAlways)
  }
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
