import { isSameJson } from '../../core/kernel/json/values.ts'
import { schemaPattern } from '../../core/kernel/patterns/schema-pattern.ts'
import { type Format, hasFormat } from '../../wings/schemas/formats.ts'
import type { JsonSchema, SchemaType } from '../../wings/schemas/json-schema.ts'
import { numberIn } from './maker.ts'
import { parseTime } from './times.ts'

/** Whether a value fits what a schema says of the value itself; what is inside objects and lists is not looked at. */
export function fitsSchema(schema: JsonSchema): (value: unknown) => boolean {
  const { const: only, enum: values, pattern } = schema
  const types = new Set([schema.type ?? []].flat())
  const compiled = typeof pattern === 'string' ? schemaPattern(pattern) : undefined
  const isAny = Object.keys(schema).length === 0
  return (value) => {
    if (isAny) return true
    if (types.size > 0 && !typesOf(value).some((type) => types.has(type))) return false
    if (Object.hasOwn(schema, 'const') && !isSameJson(only, value)) return false
    if (Array.isArray(values) && !values.some((each) => isSameJson(each, value))) return false
    if (typeof value === 'number') return fitsNumber(value, schema)
    if (Array.isArray(value)) return isWithin(value.length, schema, 'minItems', 'maxItems')
    if (typeof value !== 'string') return true
    return (
      isWithin([...value].length, schema, 'minLength', 'maxLength') &&
      fitsFormat(value, schema.format) &&
      (compiled?.test(value) ?? true)
    )
  }
}

function typesOf(value: unknown): readonly SchemaType[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number']
  return typeof value === 'string' ? ['string'] : typeof value === 'boolean' ? ['boolean'] : ['object']
}

function fitsNumber(value: number, schema: JsonSchema): boolean {
  const above = numberIn(schema, 'exclusiveMinimum') ?? Number.NEGATIVE_INFINITY
  const below = numberIn(schema, 'exclusiveMaximum') ?? Number.POSITIVE_INFINITY
  const step = numberIn(schema, 'multipleOf')
  if (value <= above || value >= below || !isWithin(value, schema, 'minimum', 'maximum')) return false
  return step === undefined || Math.abs(Math.round(value / step) - value / step) < 1e-9
}

function isWithin(value: number, schema: JsonSchema, least: string, most: string): boolean {
  return (
    value >= (numberIn(schema, least) ?? Number.NEGATIVE_INFINITY) &&
    value <= (numberIn(schema, most) ?? Number.POSITIVE_INFINITY)
  )
}

const FORMATS: ReadonlySet<string> = new Set<Format>(['uuid', 'date-time', 'date', 'email', 'uri'])

function fitsFormat(text: string, format: string | undefined): boolean {
  if (format === 'time') return parseTime(text)?.style.hasDate === false
  return format === undefined || !FORMATS.has(format) || hasFormat(format as Format, text)
}
