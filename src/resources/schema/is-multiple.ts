/** Whether a number is a multiple of another as they are written: 19.99 is one of 0.01, though 19.99 / 0.01 is 1998.9999999999998. */
export function isMultiple(value: number, divisor: number): boolean {
  const [a, b] = [decimalOf(value), decimalOf(divisor)]
  const exponent = Math.min(a.exponent, b.exponent)
  const scaled = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent)
  return scaled(a) % scaled(b) === 0n
}

/** `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

function decimalOf(number: number): Decimal {
  const [mantissa = '', power = '0'] = String(number).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length }
}
