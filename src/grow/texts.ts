import { formatOf, hasFormat } from '../schema/formats.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { fitsSchema } from './fits.ts'
import { firstFitting, type Learning, type Maker, type Place } from './maker.ts'
import type { Random } from './random.ts'
import { recombine } from './recombine.ts'
import { momentsOf, timeMaker } from './times.ts'

/** With fewer values than this, their lengths tell little. */
const ENOUGH = 20

/** Texts like these: of the same format, as long as they are, and as the schema says. */
export function textMaker(
  texts: readonly string[],
  schema: JsonSchema,
  place: Place,
  learning: Learning,
): Maker<string> {
  const pick: Maker<string> = (random) => random.pick(texts)
  const distinct = new Set(texts).size
  if (distinct <= 30 && distinct * 4 <= texts.length * 3) return pick
  const moments = momentsOf(texts)
  const make = moments ? timeMaker(moments) : makerOf(texts, place, learning)
  const [least, most] = lengthsOf(texts)
  const fits = fitsSchema(schema)
  const isFitting = (text: string) => text.length >= least && text.length <= most && fits(text)
  const mixed = firstFitting(recombine(texts), isFitting, pick)
  return firstFitting(make, isFitting, moments ? pick : mixed)
}

function makerOf(texts: readonly string[], place: Place, { fakes }: Learning): Maker<string> {
  const [first = ''] = texts
  const format = formatOf(first)
  const hasOne = format !== undefined && texts.every((text) => hasFormat(format, text))
  if (hasOne && format === 'uuid') return (random) => uuid(random, /[A-F]/.test(first))
  if (hasOne && format === 'email') return emailMaker(texts, fakes?.find({ ...place, name: 'username' }, []))
  if (hasOne && format === 'uri') return addressMaker(texts)
  return fakes?.find(place, texts) ?? recombine(texts)
}

function lengthsOf(texts: readonly string[]): readonly [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, 0]
  for (const { length } of texts) {
    least = Math.min(least, length)
    most = Math.max(most, length)
  }
  return texts.length < ENOUGH ? [Math.floor(least / 2), Math.ceil(most * 1.5)] : [least, most]
}

export function uuid(random: Random, isUpper = false): string {
  const hex = Array.from({ length: 30 }, () => random.below(16).toString(16)).join('')
  const [a, b, c, d, e] = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 15),
    hex.slice(15, 18),
    hex.slice(18),
  ]
  const text = `${a}-${b}-4${c}-${'89ab'[random.below(4)]}${d}-${e}`
  return isUpper ? text.toUpperCase() : text
}

/** At the domains that there are: others may belong to somebody. */
function emailMaker(emails: readonly string[], fake: Maker<string> | undefined): Maker<string> {
  const split = emails.map((email) => email.split('@'))
  const names = split.map(([name = '']) => name)
  const isLower = names.every((name) => name === name.toLowerCase())
  const make = fake ?? recombine(names)
  return (random) => {
    const name = make(random)
    return `${isLower ? name.toLowerCase() : name}@${random.pick(split)[1]}`
  }
}

/** At the hosts that there are. */
function addressMaker(addresses: readonly string[]): Maker<string> {
  const split = addresses.map((address) => /^([^:]+:\/\/[^/?#]*)(.*)$/.exec(address) ?? ['', address, ''])
  const make = recombine(split.map(([, , path = '']) => path))
  return (random) => `${random.pick(split)[1]}${make(random)}`
}
