import { isSecretName } from '../core/layers/parts/secrets.ts'
import type { Format } from './formats.ts'
import type { JsonSchema, SchemaType } from './json-schema.ts'

/** The values at one path: how many of each type (a number that is no integer is a `number`), and what they contain. */
export interface Tally extends Record<SchemaType, number> {
  /** Whether the values are secret, or in something secret: a format would reveal something about them. */
  readonly isSecret: boolean
  /** The format that every string so far has; null when they have none in common. */
  format: Format | null | undefined
  readonly fields: Map<string, Tally>
  /** Whether there are too many names: then it is a dictionary, and values of further ones are not looked at. */
  isDictionary: boolean
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
    isDictionary: false,
    items: undefined,
  }
}

function countOf(tally: Tally): number {
  return TYPES.reduce((sum, type) => sum + tally[type], 0)
}

/** In the order in which a schema lists them. */
const TYPES: readonly SchemaType[] = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null']

/** The tally of a field; undefined beyond the bound. */
export function fieldOf(tally: Tally, name: string, mayAdd: boolean): Tally | undefined {
  const existing = tally.fields.get(name)
  if (existing) return existing
  tally.isDictionary ||= !mayAdd || tally.fields.size >= MOST_FIELDS
  if (tally.isDictionary) return undefined
  const field = newTally(tally.isSecret || isSecretName(name))
  tally.fields.set(name, field)
  return field
}

export function itemsOf(tally: Tally): Tally {
  tally.items ??= newTally(tally.isSecret)
  return tally.items
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
  // Of a dictionary, only what most objects share is a field; the rest are keys.
  const isField = (field: Tally) => tally.object > 1 && countOf(field) * 2 >= tally.object
  const named = [...tally.fields].filter(([, field]) => !tally.isDictionary || isField(field))
  const required = named.filter(([, field]) => countOf(field) >= tally.object).map(([name]) => name)
  return {
    ...(named.length > 0 && {
      properties: Object.fromEntries(named.map(([name, field]) => [name, schemaOf(field)])),
    }),
    ...(required.length > 0 && { required }),
    ...(tally.isDictionary && { additionalProperties: {} }),
  }
}
