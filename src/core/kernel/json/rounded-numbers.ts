import { shorten } from '../util/shorten.ts'
import { placeAt } from './text-place.ts'

const MOST_NAMED = 5

/** Whether a number may have been written with more digits than JavaScript holds. */
export function mayBeRounded(number: number): boolean {
  if (Number.isSafeInteger(number)) return false
  if (Number.isInteger(number) || !Number.isFinite(number)) return true
  return Math.round(number * 1e4) / 1e4 !== number && String(number).length > 16
}

/**
 * The numbers of a JSON text that are others once they are read, with their places, such as "1e400 (line 2, column 9) is
 * null"; undefined if there are none.
 */
export function describeRounded(text: string): string | undefined {
  const named: string[] = []
  let more = 0
  for (const { literal, at } of numbersIn(text)) {
    if (isHeld(literal)) continue
    if (named.length === MOST_NAMED) more++
    else named.push(`${shorten(literal)} (${placeAt(text, at)}) is ${JSON.stringify(Number(literal))}`)
  }
  if (named.length === 0) return undefined
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

const TOKEN = /"|\\.|-?\d[\d.eE+-]*/g

function* numbersIn(text: string): Generator<{ readonly literal: string; readonly at: number }> {
  let isInString = false
  for (const { 0: literal, index } of text.matchAll(TOKEN)) {
    if (literal === '"') isInString = !isInString
    else if (!isInString) yield { literal, at: index }
  }
}

/** Programs write fractions with 17 digits: all that a double has. */
const MOST_DIGITS = 17

/** Whether the number survives being read and written. */
function isHeld(literal: string): boolean {
  if (literal.length < 16 && !/e/i.test(literal)) return true
  const number = Number(literal)
  if (!Number.isFinite(number)) return false
  const [written, held] = [decimalOf(literal), decimalOf(String(number))]
  const isFraction = !Number.isInteger(number) && written.digits.length <= MOST_DIGITS
  return isFraction || (written.digits === held.digits && written.power === held.power)
}

interface Decimal {
  /** Without zeros at either end. */
  readonly digits: string
  /** Of ten: that of the last digit. */
  readonly power: number
}

function decimalOf(literal: string): Decimal {
  const [, whole = '', fraction = '', power = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(literal) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  let end = digits.length
  while (digits[end - 1] === '0') end--
  const last = end === 0 ? 0 : Number(power) - fraction.length + digits.length - end
  return { digits: digits.slice(0, end), power: last }
}
