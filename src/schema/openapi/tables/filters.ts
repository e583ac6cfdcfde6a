import type { JsonSchema, SchemaType } from '../../json-schema.ts'
import { RESERVED } from './parameters.ts'

/** Fields described as filters; the server itself has no such bound. */
const MOST_FIELDS = 60
const DEEPEST = 4

interface Operator {
  readonly suffix: string
  readonly means: string
  readonly types: readonly SchemaType[]
  /** The type of the parameter, if it is not that of the field. */
  readonly takes?: SchemaType
  /** What it means on a list of plain values; without it, hardly anything. */
  readonly onLists?: string
}

const NUMBERS: readonly SchemaType[] = ['integer', 'number']
const ORDERED: readonly SchemaType[] = [...NUMBERS, 'string']
const PLAIN: readonly SchemaType[] = [...ORDERED, 'boolean']
const TEXTS: readonly SchemaType[] = ['string']

const OPERATORS: readonly Operator[] = [
  { suffix: '', means: 'equal to; repeated: one of', types: PLAIN },
  { suffix: '_ne', means: 'not equal to; repeated: none of', types: PLAIN },
  { suffix: '_gte', means: 'greater than or equal to', types: ORDERED },
  { suffix: '_lte', means: 'less than or equal to', types: ORDERED },
  { suffix: '_like', means: 'contains, or matches a regular expression', types: TEXTS, takes: 'string' },
  { suffix: '_gt', means: 'greater than', types: ORDERED },
  { suffix: '_lt', means: 'less than', types: ORDERED },
  { suffix: '_between', means: 'from, to, both ends included: `10,20`', types: ORDERED, takes: 'string' },
  {
    suffix: '_in',
    means: 'one of a comma-separated list',
    types: PLAIN,
    takes: 'string',
    onLists: 'has an entry of a comma-separated list',
  },
  {
    suffix: '_nin',
    means: 'none of a comma-separated list',
    types: PLAIN,
    takes: 'string',
    onLists: 'has no entry of a comma-separated list',
  },
  {
    suffix: '_contains',
    means: 'contains, ignoring case',
    types: TEXTS,
    takes: 'string',
    onLists: 'has an entry equal to this, ignoring case',
  },
  { suffix: '_startsWith', means: 'starts with, ignoring case', types: TEXTS, takes: 'string' },
  { suffix: '_endsWith', means: 'ends with, ignoring case', types: TEXTS, takes: 'string' },
  {
    suffix: '_null',
    means: '`true`: null or missing; `false`: neither',
    types: PLAIN,
    takes: 'boolean',
    onLists: '`true`: null or missing; `false`: neither',
  },
  { suffix: '_eq', means: 'equal to, as without it', types: PLAIN },
]

/** Filters per list; equality comes first. */
const MOST_FILTERS = 400

/** The filters of a list: each field with each operator; nested fields as dotted paths. */
export function filtersOf(schema: JsonSchema): readonly object[] {
  const fields = plainFields(schema).slice(0, MOST_FIELDS)
  const paths = new Set(fields.map(({ path }) => path))
  const filters = OPERATORS.flatMap((operator) =>
    fields.flatMap(({ path, types, isList }) => {
      const means = isList ? operator.onLists : operator.means
      const fitting = types.filter((type) => operator.types.includes(type))
      const name = `${path}${operator.suffix}`
      // A field of that name wins.
      const isTaken = RESERVED.has(name) || (operator.suffix !== '' && paths.has(name))
      if (means === undefined || fitting.length === 0 || isTaken) return []
      return [parameter(name, `\`${path.replaceAll('`', "'")}\` ${means}`, operator.takes ?? fitting)]
    }),
  )
  return filters.slice(0, MOST_FILTERS)
}

function parameter(name: string, description: string, types: SchemaType | readonly SchemaType[]): object {
  const one = { type: Array.isArray(types) && types.length === 1 ? types[0] : types }
  return { name, in: 'query', description, schema: { anyOf: [one, { type: 'array', items: one }] } }
}

interface Field {
  readonly path: string
  readonly types: readonly SchemaType[]
  readonly isList: boolean
}

/** Fields with plain values or lists of them, including those in objects and in lists of objects. */
function plainFields(schema: JsonSchema, prefix = '', depth = 0): readonly Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    // In a path, these have a meaning of their own.
    if (/[.[\]]/.test(name) || name === '') return []
    const path = `${prefix}${name}`
    const types = typesOf(field)
    const entries = types.includes('array') ? field.items : undefined
    const inside = types.includes('object') ? field : entries
    const plain = types.filter(isPlain)
    const listed = typesOf(entries).filter(isPlain)
    const own = plain.length > 0 ? plain : listed
    return [
      ...(own.length > 0 ? [{ path, types: own, isList: plain.length === 0 }] : []),
      ...(inside && depth < DEEPEST ? plainFields(inside, `${path}.`, depth + 1) : []),
    ]
  })
}

function isPlain(type: SchemaType): boolean {
  return PLAIN.includes(type)
}

function typesOf({ type }: JsonSchema = {}): readonly SchemaType[] {
  if (type === undefined) return []
  return typeof type === 'string' ? [type] : type
}
