import { isSchema } from '../json/schema-document.ts'
import { deepCopy } from '../json/values.ts'
import { beside } from '../schema/combined.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { fitsSchema } from './fits.ts'
import { listBySchema } from './lists.ts'
import { firstFitting, type Learning, type Maker, numberIn, type Place } from './maker.ts'
import { numberBySchema } from './numbers.ts'
import { objectMaker } from './objects.ts'
import { patternMaker } from './patterns.ts'
import { uuid } from './texts.ts'
import { formatTime, parseTime } from './times.ts'

/** Schemas may contain themselves: from this depth on, there is nothing. */
const DEEPEST = 8

/** Values that a schema allows, where there are none to learn from. */
export function makerBySchema(schema: JsonSchema, place: Place, learning: Learning): Maker {
  if (Object.hasOwn(schema, 'const')) return () => deepCopy(schema.const)
  const { enum: values, examples, anyOf, oneOf, allOf } = schema
  for (const list of [values, examples]) {
    if (Array.isArray(list) && list.length > 0) return (random) => deepCopy(random.pick(list))
  }
  if (place.depth > DEEPEST) return () => null
  const branches = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isSchema) : []))
  if (branches.length > 0) {
    const { anyOf: _, oneOf: __, ...own } = schema
    const makers = branches.map((branch) => makerBySchema(beside(own, branch), place, learning))
    return (random) => random.pick(makers)(random)
  }
  const [part] = Array.isArray(allOf) ? allOf.filter(isSchema) : []
  if (part && schema.type === undefined)
    return makerBySchema({ ...part, ...schema, allOf: [] }, place, learning)
  switch (typeOf(schema)) {
    case 'integer':
      return numberBySchema(schema, true)
    case 'number':
      return numberBySchema(schema, false)
    case 'boolean':
      return (random) => random.below(2) === 0
    case 'array':
      return listBySchema(schema, place, learning)
    case 'object':
      return objectMaker([], schema, place, learning)
    case 'string':
      return textBySchema(schema, place, learning)
    default:
      return () => null
  }
}

function typeOf({ type, format, pattern, properties, items }: JsonSchema): string | undefined {
  const named = [type ?? []].flat().find((each) => each !== 'null')
  if (named !== undefined || type !== undefined) return named
  if (properties) return 'object'
  if (items) return 'array'
  return format !== undefined || pattern !== undefined ? 'string' : undefined
}

function textBySchema(schema: JsonSchema, place: Place, { fakes }: Learning): Maker<string> {
  const fits = fitsSchema({ ...schema, type: 'string' })
  const { format, pattern } = schema
  const byFormat = format === undefined ? undefined : FORMATS[format]?.(place.name)
  const byPattern = typeof pattern === 'string' ? patternMaker(pattern) : undefined
  const plain: Maker<string> = (random) => cut(`${place.name} ${1 + random.below(1000)}`, schema)
  const fallback = byFormat ?? (byPattern && firstFitting(byPattern, fits, byPattern)) ?? plain
  const fake = byFormat || byPattern ? undefined : fakes?.find(place, [])
  return fake ? firstFitting(fake, fits, plain) : fallback
}

/** Without rows, dates are in 2025: the data must not depend on when it was made. */
const START = Date.UTC(2025, 0)
const YEAR = 365 * 86_400_000

const FORMATS: Readonly<Record<string, (name: string) => Maker<string>>> = {
  'date-time': () => timeLike('2025-01-01T00:00:00.000Z'),
  date: () => timeLike('2025-01-01'),
  time: () => timeLike('00:00:00Z'),
  uuid: () => (random) => uuid(random),
  email: (name) => (random) => `${asWord(name)}${1 + random.below(100_000)}@example.com`,
  uri: (name) => (random) => `https://example.com/${asWord(name)}/${1 + random.below(100_000)}`,
  url: (name) => (random) => `https://example.com/${asWord(name)}/${1 + random.below(100_000)}`,
  hostname: (name) => (random) => `${asWord(name)}${1 + random.below(100_000)}.example.com`,
  ipv4: () => (random) => `192.0.2.${1 + random.below(254)}`,
  ipv6: () => (random) => `2001:db8::${(1 + random.below(65_535)).toString(16)}`,
}

function timeLike(text: string): Maker<string> {
  const { style } = parseTime(text) ?? {}
  return (random) => (style ? formatTime(START + random.below(YEAR), style) : text)
}

function asWord(name: string): string {
  return (
    name
      .replace(/[^A-Za-z\d]+/g, '-')
      .replace(/^-|-$/g, '')
      .toLowerCase() || 'value'
  )
}

/** The end says what number it is. */
function cut(text: string, schema: JsonSchema): string {
  const most = numberIn(schema, 'maxLength') ?? text.length
  return text.slice(Math.max(0, text.length - most)).padEnd(numberIn(schema, 'minLength') ?? 0, '.')
}
