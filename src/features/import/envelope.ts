import { isObject } from '../../core/kernel/json/values.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { PRESETS } from '../../wings/shapes/presets.ts'
import type { ShapeSetting } from '../../wings/shapes/shape-settings.ts'
import { alternatives, type SchemaBook } from './schema-book.ts'

/** Where rows, or a row, are in an answer, and their schema. */
export interface Found {
  readonly path: readonly string[]
  readonly schema: JsonSchema
}

/** The schema of an answer, and where the rows are in it. */
export interface Wrapped extends Found {
  readonly around: JsonSchema
  /** The operation that gives it. */
  readonly place: string
}

const DEEPEST = 3

/** Of several lists in an answer, one with such a name has the rows. */
const USUAL_LISTS = /^(?:data|items|results?|rows|records|content|values|entries|list|_embedded)$/i

export function typesOf({ type, properties, items, enum: values }: JsonSchema): readonly string[] {
  if (type !== undefined) return [type].flat()
  if (Array.isArray(values))
    return [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
  if (properties) return ['object']
  return items ? ['array'] : []
}

/** The schema of a field; undefined if there is none of that name, in all alternatives. */
export function fieldIn(book: SchemaBook, schema: JsonSchema, name: string): JsonSchema | undefined {
  const whole = book.shallow(schema)
  const own = whole.properties && Object.hasOwn(whole.properties, name) ? whole.properties[name] : undefined
  if (isObject(own)) return own
  const branches = alternatives(whole).map((branch) =>
    branch === schema ? undefined : fieldIn(book, branch, name),
  )
  return branches.length > 0 && branches.every((branch) => branch) ? branches[0] : undefined
}

function isRowLike(book: SchemaBook, schema: unknown): schema is JsonSchema {
  if (!isObject(schema)) return false
  const whole = book.shallow(schema)
  return typesOf(whole).includes('object') || alternatives(whole).some((each) => isRowLike(book, each))
}

/** Where the rows of a list are: the answer itself, or the shallowest list of objects in it. */
export function findRows(book: SchemaBook, schema: JsonSchema, name: string): Found | undefined {
  const whole = book.shallow(schema)
  if (typesOf(whole).includes('array')) {
    return isRowLike(book, whole.items) ? { path: [], schema: whole.items } : undefined
  }
  let level: readonly Found[] = [{ path: [], schema }]
  for (let depth = 0; depth < DEEPEST; depth++) {
    const inner = level.flatMap((each) => fieldsOf(book, each))
    const lists = inner.flatMap(({ path, schema: field }) => {
      const { items, ...own } = book.shallow(field)
      return typesOf({ ...own, items: {} }).includes('array') && isRowLike(book, items)
        ? [{ path, schema: items }]
        : []
    })
    const usual = lists.find(({ path }) => path.at(-1) === name) ?? lists.find(({ path }) => isUsual(path))
    if (lists.length > 0) return lists.length === 1 ? lists[0] : usual
    level = inner.filter(({ schema: field }) => typesOf(book.shallow(field)).includes('object'))
  }
  return undefined
}

function isUsual(path: readonly string[]): boolean {
  return USUAL_LISTS.test(path.at(-1) ?? '')
}

/** Where the row of an item is: the answer itself, or an object in it that has an id. */
export function findRow(
  book: SchemaBook,
  schema: JsonSchema,
  hasId: (row: JsonSchema) => boolean,
): Found | undefined {
  if (hasId(schema)) return { path: [], schema }
  let level: readonly Found[] = [{ path: [], schema }]
  for (let depth = 0; depth < 2; depth++) {
    level = level.flatMap((each) => fieldsOf(book, each)).filter((each) => isRowLike(book, each.schema))
    const found = level.find((each) => hasId(each.schema))
    if (found) return found
  }
  return undefined
}

function fieldsOf(book: SchemaBook, { path, schema }: Found): readonly Found[] {
  const { properties = {} } = book.shallow(schema)
  return Object.entries(properties).flatMap(([name, field]) =>
    isObject(field) ? [{ path: [...path, name], schema: field }] : [],
  )
}

/** The words for what stands around rows, by the name of a field without case and marks, and the kinds that they can be. */
const WORDS: readonly (readonly [names: RegExp, word: string, kind: 'number' | 'string'])[] = [
  [
    /^(?:total(?:count|results|elements|items|records|size)?|count|itemcount|records?total|items)$/,
    '$total',
    'number',
  ],
  [/^(?:current)?page(?:number|index|no)?$|^number$/, '$page', 'number'],
  [/^(?:total|last)?pages?(?:count|total)?$|^lastpage$|^numpages$/, '$pages', 'number'],
  [/^(?:size|limit|perpage|pagesize|itemsperpage)$/, '$size', 'number'],
  [/^(?:offset|skip|start|startat)$/, '$start', 'number'],
  [/^next(?:page|link|url)?$/, '$next', 'string'],
  [/^prev(?:ious)?(?:page|link|url)?$/, '$prev', 'string'],
  [/^first(?:page|link|url)?$/, '$first', 'string'],
  [/^last(?:page|link|url)?$/, '$last', 'string'],
]

/** A template of a shape: `word` where the rows are, and all that the answer must have beside them. */
function templateOf(book: SchemaBook, schema: JsonSchema, path: readonly string[], word: string): unknown {
  const [next, ...rest] = path
  if (next === undefined) return word
  return objectTemplate(book, schema, (name, field) =>
    name === next ? templateOf(book, field, rest, word) : undefined,
  )
}

function objectTemplate(
  book: SchemaBook,
  schema: JsonSchema,
  inside: (name: string, field: JsonSchema) => unknown,
  depth = 0,
): unknown {
  const { properties = {}, required = [] } = book.shallow(schema)
  const entries = Object.entries(properties).flatMap(([name, field]) => {
    if (!isObject(field)) return []
    const isNeeded = required.includes(name)
    const value = inside(name, field) ?? aroundRows(book, name, field, isNeeded, depth)
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(entries)
}

function aroundRows(
  book: SchemaBook,
  name: string,
  field: JsonSchema,
  isNeeded: boolean,
  depth: number,
): unknown {
  const whole = book.shallow(field)
  const types = typesOf(whole)
  const plain = name.replace(/[^A-Za-z]/g, '').toLowerCase()
  const [, word, kind] =
    WORDS.find(([names, , of]) => names.test(plain) && types.some((type) => kindOf(type) === of)) ?? []
  // There is no next page on the last: a link may be null.
  if (word !== undefined && (kind === 'number' || types.includes('null'))) return word
  if (types.includes('object') && depth < DEEPEST) {
    const inner = objectTemplate(book, whole, () => undefined, depth + 1)
    if (isNeeded || Object.keys(Object(inner)).length > 0) return inner
  }
  return isNeeded ? literalOf(whole) : undefined
}

function kindOf(type: string): string {
  return type === 'integer' ? 'number' : type
}

/** A value that never changes. */
function literalOf(schema: JsonSchema): unknown {
  const { const: only, enum: values, examples, default: standard } = schema
  const given = [only, standard, ...[values, examples].flatMap((list) => (Array.isArray(list) ? list : []))]
  const value = given.find((each) => each !== undefined)
  if (value !== undefined && !JSON.stringify(value).includes('$')) return value
  const [type] = typesOf(schema)
  if (type === 'integer' || type === 'number') return typeof schema.minimum === 'number' ? schema.minimum : 0
  if (type === 'boolean') return false
  if (type === 'array') return []
  return type === 'object' ? {} : type === 'string' ? '' : null
}

/** The shape of a resource by its list and its item. Undefined if rows stand alone in both. */
export function shapeOf(
  book: SchemaBook,
  list: Wrapped | undefined,
  item: Wrapped | undefined,
  isJsonApi: boolean,
): ShapeSetting | undefined {
  if (isJsonApi) return 'jsonapi'
  if (!list?.path.length && !item?.path.length) return undefined
  const template = {
    list: list ? templateOf(book, list.around, list.path, '$rows') : '$rows',
    item: item ? templateOf(book, item.around, item.path, '$row') : '$row',
  }
  return presetLike(template) ?? template
}

/** Presets whose lists say what they are. Those of JSON:API have rows of their own. */
const RECOGNIZED = ['laravel', 'spring', 'drf', 'strapi'] as const

/** The preset that has all of a template, which must be more than the rows. */
function presetLike(template: { readonly list: unknown; readonly item: unknown }): string | undefined {
  if (!isObject(template.list) || Object.keys(template.list).length < 2) return undefined
  return RECOGNIZED.find((name) => {
    const { list, item } = PRESETS[name]
    return isPart(template.list, list) && isPart(template.item, item)
  })
}

/** Whether the other has every key of this one, and rows in the same place. */
function isPart(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other || (isWord(one) && isWord(other))
  return Object.entries(one).every(([key, inner]) => Object.hasOwn(other, key) && isPart(inner, other[key]))
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('$') && !/^\$rows?$/.test(value)
}
