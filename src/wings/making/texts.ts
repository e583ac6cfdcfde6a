import type { Random } from '../../core/kernel/util/random.ts'
import { formatOf, hasFormat } from '../schemas/formats.ts'
import { type Maker, numberIn, TRIES, type ValuePlace } from './maker.ts'
import { patternMaker } from './patterns.ts'
import { momentsOf, timeMaker } from './times.ts'

/** With fewer values than this, their lengths tell little. */
const ENOUGH = 20

/** Texts like these: of the same format, and about as long; else these. */
export function textMaker(texts: readonly string[], place: ValuePlace): Maker<string> {
  const pick: Maker<string> = (random) => random.pick(texts)
  const distinct = new Set(texts).size
  if (distinct <= 30 && distinct * 4 <= texts.length * 3) return pick
  const moments = momentsOf(texts)
  if (moments) return timeMaker(moments)
  const make = makerOf(texts, place)
  if (!make) return pick
  const lengths = texts.map(({ length }) => length)
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)]
  return texts.length < ENOUGH ? within(least / 2, most * 1.5, make, pick) : within(least, most, make, pick)
}

/** Texts that a schema allows, where there are none to learn from. */
export function textBySchema(place: ValuePlace): Maker<string> {
  const { schema, learning, name } = place
  const { format, pattern } = schema
  const least = numberIn(schema, 'minLength') ?? 0
  const most = numberIn(schema, 'maxLength') ?? Number.POSITIVE_INFINITY
  const byFormat = format === undefined ? undefined : FORMATS[format]?.(name)
  const exact = byFormat ?? (typeof pattern === 'string' ? patternMaker(pattern) : undefined)
  if (exact) return within(least, most, exact, exact)
  // The end says what number it is.
  const plain: Maker<string> = (random) => {
    const text = `${name} ${1 + random.below(1000)}`
    return text.slice(Math.max(0, text.length - most)).padEnd(least, '.')
  }
  return within(least, most, learning.fakes?.(place, []) ?? plain, plain)
}

/** Ids like these. Undefined if the server makes them: numbers, or the first ones. */
export function idMaker(
  ids: readonly unknown[],
  kind: 'increment' | 'uuid' | 'nanoid' | undefined,
  place: ValuePlace,
): Maker | undefined {
  if (kind === 'uuid') return (random) => uuid(random)
  if (kind === 'nanoid')
    return (random) => Array.from({ length: 21 }, () => NANOID[random.below(64)]).join('')
  const texts = ids.filter((id) => typeof id === 'string')
  const areTexts = texts.length > 0 && texts.length === ids.length
  return kind === undefined && areTexts ? textMaker(texts, place) : undefined
}

const NANOID = 'useandom-26T198340PX75pxJACKVERYMINDBUSHWOLF_GQZbfghjklqvwyzrict'

function makerOf(texts: readonly string[], place: ValuePlace): Maker<string> | undefined {
  const { fakes } = place.learning
  const [first = ''] = texts
  const format = formatOf(first)
  const hasOne = format !== undefined && texts.every((text) => hasFormat(format, text))
  if (hasOne && format === 'uuid') return (random) => uuid(random, /[A-F]/.test(first))
  if (hasOne && format === 'email') return emailMaker(texts, fakes?.({ ...place, name: 'username' }, []))
  return fakes?.(place, texts)
}

/** Texts of these lengths; after many others, those of `otherwise`. */
function within(least: number, most: number, make: Maker<string>, otherwise: Maker<string>): Maker<string> {
  return (random) => {
    for (let left = TRIES; left > 0; left--) {
      const text = make(random)
      if (text.length >= least && text.length <= most) return text
    }
    return otherwise(random)
  }
}

function uuid(random: Random, isUpper = false): string {
  const hex = Array.from({ length: 30 }, () => random.below(16).toString(16)).join('')
  const text = hex.replace(/^(.{8})(.{4})(.{3})(.{3})/, `$1-$2-4$3-${'89ab'[random.below(4)]}$4-`)
  return isUpper ? text.toUpperCase() : text
}

/** At the domains that there are: others may belong to somebody. */
function emailMaker(emails: readonly string[], fake: Maker<string> | undefined): Maker<string> {
  const split = emails.map((email) => email.split('@'))
  const isLower = emails.every((email) => email === email.toLowerCase())
  return (random) => {
    const name = fake?.(random) ?? random.pick(split)[0] ?? ''
    return `${isLower ? name.toLowerCase() : name}@${random.pick(split)[1]}`
  }
}

const FORMATS: Readonly<Record<string, (name: string) => Maker<string>>> = {
  'date-time': () => timeLike('T00:00:00.000Z'),
  date: () => timeLike(''),
  time: () => (random) => timeLike('T00:00:00Z')(random).slice(11),
  uuid: () => (random) => uuid(random),
  email: (name) => (random) => `${numbered(name, random)}@example.com`,
  uri: (name) => (random) => `https://example.com/${numbered(name, random)}`,
  url: (name) => (random) => `https://example.com/${numbered(name, random)}`,
  hostname: (name) => (random) => `${numbered(name, random)}.example.com`,
  ipv4: () => (random) => `192.0.2.${1 + random.below(254)}`,
  ipv6: () => (random) => `2001:db8::${(1 + random.below(65_535)).toString(16)}`,
}

/** Without rows, dates are in 2025: the data must not depend on when it was made. */
function timeLike(clock: string): Maker<string> {
  return timeMaker(momentsOf([`2025-01-01${clock}`, `2025-12-31${clock}`]) ?? [])
}

function numbered(name: string, random: Random): string {
  const word = name.replace(/[^A-Za-z\d]+/g, '-').replace(/^-|-$/g, '')
  return `${word.toLowerCase() || 'value'}${1 + random.below(100_000)}`
}
