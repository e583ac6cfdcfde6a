import type { JsonSchema } from '../schemas/json-schema.ts'
import { type Maker, numberIn } from './maker.ts'

/** Numbers within the range of these, with as many decimals; few different ones as often as they are there. */
export function numberMaker(values: readonly number[]): Maker<number> {
  const distinct = new Set(values).size
  const isFew = distinct === 1 || (distinct <= 12 && distinct * 3 <= values.length)
  const decimals = Math.max(...values.map(decimalsOf))
  const factor = Number(`1e${decimals}`)
  const first = Math.round(values.reduce((a, b) => Math.min(a, b)) * factor)
  const last = Math.round(values.reduce((a, b) => Math.max(a, b)) * factor)
  const isExact = decimals <= 15 && [first, last, last - first].every(Number.isSafeInteger)
  if (isFew || !isExact) return (random) => random.pick(values)
  return (random) => Number(((first + random.below(last - first + 1)) / factor).toFixed(decimals))
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
  const isNarrow = !isInteger && schema.multipleOf === undefined && last - first < 2
  if (isNarrow) return () => (low + high) / 2
  const decimals = Math.min(decimalsOf(step), 20)
  return (random) => Number(((first + random.below(last - first + 1)) * step).toFixed(decimals))
}

/** More than any number has, if it is written with an exponent. */
function decimalsOf(value: number): number {
  const text = String(value)
  return text.includes('e') ? 99 : (text.split('.')[1]?.length ?? 0)
}
