import { isSecretName } from '../../core/layers/parts/secrets.ts'
import type { Format } from '../../wings/schemas/formats.ts'
import type { JsonSchema, SchemaType } from '../../wings/schemas/json-schema.ts'

/** The values at one path: how many of each type (a number that is no integer is a `number`), and what they contain. */
export interface Tally extends Record<SchemaType, number> {
  /** Whether the values are secret, or in something secret: a format would reveal something about them. */
  readonly isSecret: boolean
  /** The format that every string so far has; null when they have none in common. */
  format: Format | null | undefined
  readonly fields: Map<string, Tally>
  /** The values of further fields, once there are too many names. */
  rest: Tally | undefined
  items: Tally | undefined
}

export function newTally(isSecret = false): Tally {
  return {
    isSecret,
    string: 0,
    integer: 0,
    number: 0,
    boolean: 0,
    object: 0,
    array: 0,
    null: 0,
    format: isSecret ? null : undefined,
    fields: new Map(),
    rest: undefined,
    items: undefined,
  }
}

function countOf(tally: Tally): number {
  return TYPES.reduce((sum, type) => sum + tally[type], 0)
}

/** In the order in which a schema lists them. */
const TYPES: readonly SchemaType[] = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null']

function addTally(to: Tally, from: Tally): void {
  for (const type of TYPES) to[type] += from[type]
  if (from.format !== undefined) {
    to.format = to.format === undefined || to.format === from.format ? from.format : null
  }
  for (const [name, field] of from.fields) addTally(fieldOf(to, name), field)
  if (from.rest) addTally(inside(to, 'rest'), from.rest)
  if (from.items) addTally(inside(to, 'items'), from.items)
}

/** The tally of a field; beyond the bound, the tally that all further fields share. */
export function fieldOf(tally: Tally, name: string, mayAdd = true): Tally {
  const existing = tally.fields.get(name)
  if (existing) return existing
  if (!mayAdd || tally.fields.size >= MOST_FIELDS) return inside(tally, 'rest')
  const field = newTally(tally.isSecret || isSecretName(name))
  tally.fields.set(name, field)
  return field
}

export function inside(tally: Tally, part: 'rest' | 'items'): Tally {
  tally[part] ??= newTally(tally.isSecret)
  return tally[part]
}

/** Distinct names per object. With more of them, it is a dictionary. */
export const MOST_FIELDS = 1000

/** The JSON Schema of a tally. Each keyword applies to one type only: several kinds of values need no `anyOf`. */
export function schemaOf(tally: Tally): JsonSchema {
  const types = TYPES.filter((type) => tally[type] > 0 && !(type === 'integer' && tally.number > 0))
  const [only] = types
  // Only nulls so far: it may become anything.
  if (types.length === 1 && only === 'null') return {}
  return {
    ...(types.length > 0 && { type: types.length === 1 && only !== undefined ? only : types }),
    ...(tally.string > 0 && tally.format && { format: tally.format }),
    ...(tally.object > 0 && fieldsOf(tally)),
    ...(tally.items && countOf(tally.items) > 0 && { items: schemaOf(tally.items) }),
  }
}

function fieldsOf(tally: Tally): JsonSchema {
  const { named, rest } = tally.rest
    ? asDictionary(tally, tally.rest)
    : { named: [...tally.fields], rest: undefined }
  const required = named.filter(([, field]) => countOf(field) >= tally.object).map(([name]) => name)
  return {
    ...(named.length > 0 && {
      properties: Object.fromEntries(named.map(([name, field]) => [name, schemaOf(field)])),
    }),
    ...(required.length > 0 && { required }),
    ...(rest && { additionalProperties: schemaOf(rest) }),
  }
}

/** With too many names, only those that most objects share are fields; the others are keys. */
function asDictionary(tally: Tally, others: Tally): { named: [string, Tally][]; rest: Tally } {
  const isField = (field: Tally) => tally.object > 1 && countOf(field) * 2 >= tally.object
  const rest = newTally()
  addTally(rest, others)
  for (const field of tally.fields.values()) if (!isField(field)) addTally(rest, field)
  return { named: [...tally.fields].filter(([, field]) => isField(field)), rest }
}
