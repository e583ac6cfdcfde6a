import type { JsonSchema } from '../schema/json-schema.ts'
import { fitsSchema } from './fits.ts'
import { firstFitting, type Maker, numberIn } from './maker.ts'
import { spread } from './spread.ts'

/** As many different numbers tell what they have in common. */
const ENOUGH = 8

/** Numbers within the range of these, with as many decimals, and with the same steps between them. */
export function numberMaker(values: readonly number[], schema: JsonSchema): Maker<number> {
  const pick: Maker<number> = (random) => random.pick(values)
  const distinct = [...new Set(values)].sort((a, b) => a - b)
  const isFew = distinct.length <= 12 && distinct.length * 3 <= values.length
  const decimals = Math.max(...distinct.map(decimalsOf))
  const factor = Number(`1e${decimals}`)
  const scaled = distinct.map((value) => Math.round(value * factor))
  const isExact = decimals <= 15 && scaled.every(Number.isSafeInteger)
  if (isFew || distinct.length === 1 || !isExact) return pick
  const [first = 0] = scaled
  const step = distinct.length < ENOUGH ? 1 : scaled.reduce((gcd, value) => gcdOf(gcd, value - first), 0)
  const sorted = values.map((value) => Math.round(value * factor)).sort((a, b) => a - b)
  const make: Maker<number> = (random) =>
    Number((spread({ values: sorted, step }, random) / factor).toFixed(decimals))
  return firstFitting(make, fitsSchema(schema), pick)
}

/** Numbers that a schema allows, where there are none to learn from. */
export function numberBySchema(schema: JsonSchema, isInteger: boolean): Maker<number> {
  const step = numberIn(schema, 'multipleOf') ?? (isInteger ? 1 : 0.01)
  const least = numberIn(schema, 'minimum') ?? numberIn(schema, 'exclusiveMinimum')
  const most = numberIn(schema, 'maximum') ?? numberIn(schema, 'exclusiveMaximum')
  const range = 99 * Math.max(step, 1)
  const low = least ?? (most === undefined ? Math.max(step, 1) : most - range)
  const high = most ?? low + range
  const [first, last] = [Math.ceil(low / step), Math.floor(high / step)]
  const decimals = decimalsOf(step)
  const make: Maker<number> = (random) =>
    Number(((first + random.below(last - first + 1)) * step).toFixed(Math.min(decimals, 20)))
  const middle = () => (isInteger ? first : (low + high) / 2)
  return firstFitting(make, fitsSchema({ ...schema, type: isInteger ? 'integer' : 'number' }), middle)
}

function gcdOf(a: number, b: number): number {
  return b === 0 ? a : gcdOf(b, a % b)
}

/** More than any number has, if it is written with an exponent. */
function decimalsOf(value: number): number {
  const text = String(value)
  return text.includes('e') ? 99 : (text.split('.')[1]?.length ?? 0)
}
