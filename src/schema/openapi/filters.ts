import type { JsonSchema, SchemaType } from '../json-schema.ts'
import { PARAMETER_NAMES } from './parameters.ts'

/** So many fields can be filtered by in a description; the server knows no such bound. */
const MOST_FIELDS = 60
const DEEPEST = 4

interface Operator {
  readonly suffix: string
  readonly means: string
  readonly types: readonly SchemaType[]
  /** It takes a string whatever the field holds. */
  readonly isText?: boolean
}

const NUMBERS: readonly SchemaType[] = ['integer', 'number']
const ORDERED: readonly SchemaType[] = [...NUMBERS, 'string']
const PLAIN: readonly SchemaType[] = [...ORDERED, 'boolean']

/** What can be asked of a field, by what is put behind its name. */
const OPERATORS: readonly Operator[] = [
  { suffix: '', means: 'equal to; repeated: one of', types: PLAIN },
  { suffix: '_ne', means: 'not equal to; repeated: none of', types: PLAIN },
  { suffix: '_gte', means: 'greater than or equal to', types: ORDERED },
  { suffix: '_lte', means: 'less than or equal to', types: ORDERED },
  { suffix: '_like', means: 'contains, or matches a regular expression', types: ['string'], isText: true },
]

/** The parameters by which a list can be filtered: each field, nested ones with a dotted path, with each operator. */
export function filtersOf(schema: JsonSchema): readonly object[] {
  const fields = plainFields(schema).slice(0, MOST_FIELDS)
  const taken = new Set([...PARAMETER_NAMES, ...fields.map(({ path }) => path)])
  return OPERATORS.flatMap((operator) =>
    fields.flatMap(({ path, types }) => {
      const fitting = types.filter((type) => operator.types.includes(type))
      const name = `${path}${operator.suffix}`
      const isTaken = operator.suffix === '' ? PARAMETER_NAMES.has(path) : taken.has(name)
      return fitting.length === 0 || isTaken ? [] : [parameter(name, path, operator, fitting)]
    }),
  )
}

function parameter(
  name: string,
  path: string,
  { means, isText }: Operator,
  types: readonly SchemaType[],
): object {
  const one = { type: isText ? 'string' : types.length === 1 ? types[0] : types }
  const description = `\`${path.replaceAll('`', "'")}\` ${means}`
  return { name, in: 'query', description, schema: { anyOf: [one, { type: 'array', items: one }] } }
}

interface Field {
  readonly path: string
  readonly types: readonly SchemaType[]
}

/** The fields with plain values, also those inside of objects and of lists of objects. */
function plainFields(schema: JsonSchema, prefix = '', depth = 0): readonly Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    // In a path these would mean something else.
    if (/[.[\]]/.test(name) || name === '') return []
    const path = `${prefix}${name}`
    const types = typesOf(field)
    const plain = types.filter((type) => PLAIN.includes(type))
    const inside = types.includes('object') ? field : types.includes('array') ? field.items : undefined
    return [
      ...(plain.length > 0 ? [{ path, types: plain }] : []),
      ...(inside && depth < DEEPEST ? plainFields(inside, `${path}.`, depth + 1) : []),
    ]
  })
}

function typesOf({ type }: JsonSchema): readonly SchemaType[] {
  if (type === undefined) return []
  return typeof type === 'string' ? [type] : type
}
