import type { Random } from '../../core/kernel/util/random.ts'
import { formatOf, hasFormat } from '../../wings/schemas/formats.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { fitsSchema } from './fits.ts'
import { firstFitting, type Learning, type Maker, numberIn, type ValuePlace } from './maker.ts'
import { patternMaker } from './patterns.ts'
import { formatTime, momentsOf, parseTime, timeMaker } from './times.ts'

/** With fewer values than this, their lengths tell little. */
const ENOUGH = 20

/** Texts like these: of the same format, as long as they are, and as the schema says; else these. */
export function textMaker(texts: readonly string[], place: ValuePlace): Maker<string> {
  const pick: Maker<string> = (random) => random.pick(texts)
  const distinct = new Set(texts).size
  if (distinct <= 30 && distinct * 4 <= texts.length * 3) return pick
  const moments = momentsOf(texts)
  const make = moments ? timeMaker(moments) : makerOf(texts, place)
  if (!make) return pick
  const [least, most] = lengthsOf(texts)
  const fits = fitsSchema(place.schema)
  const isFitting = (text: string) => text.length >= least && text.length <= most && fits(text)
  return firstFitting(make, isFitting, pick)
}

/** Texts that a schema allows, where there are none to learn from. */
export function textBySchema(place: ValuePlace): Maker<string> {
  const { schema, learning } = place
  const fits = fitsSchema({ ...schema, type: 'string' })
  const { format, pattern } = schema
  const byFormat = format === undefined ? undefined : FORMATS[format]?.(place.name)
  const byPattern = typeof pattern === 'string' ? patternMaker(pattern) : undefined
  const plain: Maker<string> = (random) => cut(`${place.name} ${1 + random.below(1000)}`, schema)
  const fallback = byFormat ?? (byPattern && firstFitting(byPattern, fits, byPattern)) ?? plain
  const fake = byFormat || byPattern ? undefined : learning.fakes?.(place, [])
  return fake ? firstFitting(fake, fits, plain) : fallback
}

/** Ids in the style of these. Undefined if the server makes them: numbers, or the first ones. */
export function idMaker(
  ids: readonly unknown[],
  kind: 'increment' | 'uuid' | 'nanoid' | undefined,
  schema: JsonSchema,
  learning: Learning,
): Maker | undefined {
  if (kind === 'uuid') return (random) => uuid(random)
  if (kind === 'nanoid')
    return (random) => Array.from({ length: 21 }, () => NANOID[random.below(64)]).join('')
  const texts = ids.filter((id) => typeof id === 'string')
  if (kind !== undefined || texts.length === 0 || texts.length < ids.length) return undefined
  return (
    numberedMaker(texts) ?? textMaker(texts, { resource: '', name: '', path: '', depth: 0, schema, learning })
  )
}

function makerOf(texts: readonly string[], place: ValuePlace): Maker<string> | undefined {
  const { fakes } = place.learning
  const [first = ''] = texts
  const format = formatOf(first)
  const hasOne = format !== undefined && texts.every((text) => hasFormat(format, text))
  if (hasOne && format === 'uuid') return (random) => uuid(random, /[A-F]/.test(first))
  if (hasOne && format === 'email') return emailMaker(texts, fakes?.({ ...place, name: 'username' }, []))
  return fakes?.(place, texts)
}

function lengthsOf(texts: readonly string[]): readonly [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, 0]
  for (const { length } of texts) {
    least = Math.min(least, length)
    most = Math.max(most, length)
  }
  return texts.length < ENOUGH ? [Math.floor(least / 2), Math.ceil(most * 1.5)] : [least, most]
}

function uuid(random: Random, isUpper = false): string {
  const hex = Array.from({ length: 30 }, () => random.below(16).toString(16)).join('')
  const text = hex.replace(/^(.{8})(.{4})(.{3})(.{3})/, `$1-$2-4$3-${'89ab'[random.below(4)]}$4-`)
  return isUpper ? text.toUpperCase() : text
}

/** At the domains that there are: others may belong to somebody. */
function emailMaker(emails: readonly string[], fake: Maker<string> | undefined): Maker<string> {
  const split = emails.map((email) => email.split('@'))
  const names = split.map(([name = '']) => name)
  const isLower = names.every((name) => name === name.toLowerCase())
  const make = fake ?? ((random: Random) => random.pick(names))
  return (random) => {
    const name = make(random)
    return `${isLower ? name.toLowerCase() : name}@${random.pick(split)[1]}`
  }
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

const NANOID = 'useandom-26T198340PX75pxJACKVERYMINDBUSHWOLF_GQZbfghjklqvwyzrict'

/** `p-007` after `p-006` */
function numberedMaker(texts: readonly string[]): Maker<string> | undefined {
  const [, prefix] = /^(.*?)(\d{1,15})$/.exec(texts[0] ?? '') ?? []
  let [highest, length] = [0, 0]
  for (const text of texts) {
    const [, start, digits = ''] = /^(.*?)(\d{1,15})$/.exec(text) ?? []
    if (start === undefined || start !== prefix) return undefined
    highest = Math.max(highest, Number(digits))
    if (digits.startsWith('0')) length = Math.max(length, digits.length)
  }
  return () => `${prefix}${String(++highest).padStart(length, '0')}`
}
