import {
  type FieldKind,
  OPERATOR_NAMES,
  OPERATORS,
  type OperatorInfo,
} from '../../../core/kernel/catalogue/operators.ts'
import type { JsonSchema, SchemaType } from '../../../wings/schemas/json-schema.ts'
import { RESERVED } from './parameters.ts'

/** Fields described as filters; the server itself has no such bound. */
const MOST_FIELDS = 60
const DEEPEST = 4

const TYPES: Readonly<Record<FieldKind, readonly SchemaType[]>> = {
  number: ['integer', 'number'],
  text: ['string'],
  date: ['string'],
  boolean: ['boolean'],
}
const PLAIN = new Set(Object.values(TYPES).flat())

const WRITTEN: Readonly<Record<OperatorInfo['takes'], SchemaType | undefined>> = {
  value: undefined,
  list: 'string',
  pair: 'string',
  toggle: 'boolean',
}

/** All operators, those of json-server 0.17.4 first. */
const FILTERS: readonly (OperatorInfo & { readonly suffix: string })[] = [
  { ...OPERATORS.eq, suffix: '' },
  ...OPERATOR_NAMES.filter((name) => name !== 'eq')
    .map((name) => ({ ...OPERATORS[name], suffix: `_${name}` }))
    .sort((a, b) => Number(b.isOld ?? false) - Number(a.isOld ?? false)),
  { ...OPERATORS.eq, suffix: '_eq', means: 'equal to, as without it' },
]

const MOST_FILTERS = 400

export function filtersOf(schema: JsonSchema): readonly object[] {
  const fields = plainFields(schema).slice(0, MOST_FIELDS)
  const paths = new Set(fields.map(({ path }) => path))
  const filters = FILTERS.flatMap((operator) =>
    fields.flatMap(({ path, types, isList }) => {
      const means = isList ? operator.onLists : operator.means
      const fitting = types.filter((type) => operator.fits.some((kind) => TYPES[kind].includes(type)))
      const name = `${path}${operator.suffix}`
      // A field of that name wins.
      const isTaken = RESERVED.has(name) || (operator.suffix !== '' && paths.has(name))
      if (means === undefined || fitting.length === 0 || isTaken) return []
      return [
        parameter(name, `\`${path.replaceAll('`', "'")}\` ${means}`, WRITTEN[operator.takes] ?? fitting),
      ]
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
  return PLAIN.has(type)
}

function typesOf({ type }: JsonSchema = {}): readonly SchemaType[] {
  if (type === undefined) return []
  return typeof type === 'string' ? [type] : type
}
