import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { storable, withFiniteNumbers } from '../../../../src/core/kernel/json/limits.ts'

const parseFinite = (text: string) => storable(JSON.parse(text), 10)

const zeros = (count: number) => '0'.repeat(count)

describe('a number that overflows is null, however it is spelled', () => {
  it.each([
    '1e999',
    '-1e+999',
    '1E0999',
    '1e0000000309',
    `1${zeros(250)}e99`,
    `1${zeros(309)}`,
    `-1${zeros(309)}.5`,
    `0.${zeros(50)}1e400`,
    `1${zeros(205)}.${zeros(100)}e+0104`,
    '9'.repeat(400),
    '1.7976931348623159e308',
  ])('%s', (spelled) => {
    expect(parseFinite(`{"a":[${spelled}],"b":${spelled}}`)).toEqual({ a: [null], b: null })
    expect(parseFinite(spelled)).toBeNull()
  })
})

describe('a number that does not overflow stays what it is', () => {
  it.each([
    '1e308',
    '1.7976931348623157e308',
    '1e-999',
    '-0',
    `1${zeros(200)}e99`,
    `0.${zeros(500)}1e400`,
    `1e${zeros(300)}9`,
    `${'1'.repeat(300)}e-200`,
  ])('%s', (spelled) => {
    expect(parseFinite(`[${spelled}]`)).toEqual([Number(spelled)])
  })

  it('whatever numbers there are', () => {
    const digits = fc.string({ unit: fc.constantFrom('0', '1', '9'), maxLength: 400 })
    const number = fc
      .tuple(digits, digits, fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), fc.nat(450))
      .map(([a, b, e, sign, power]) => `1${a}.0${b}${e}${sign}${power}`)
    fc.assert(
      fc.property(fc.array(number), (numbers) => {
        const text = `[${numbers.join(', ')}]`
        const parsed: unknown = JSON.parse(text)
        expect(parseFinite(text)).toEqual(JSON.parse(JSON.stringify(parsed)))
      }),
    )
  })
})

describe('replacing such numbers', () => {
  it('keeps what has none as it is, and copies only what changes', () => {
    const same = { a: [1, { b: 2 }] }
    expect(withFiniteNumbers(same)).toBe(same)
    const other = Object.freeze({ same, list: Object.freeze([1, Number.NaN]), when: new Date(0) })
    const finite = withFiniteNumbers(other)
    expect(finite).toEqual({ same, list: [1, null], when: new Date(0) })
    expect(finite?.same).toBe(same)
    expect(other.list).toEqual([1, Number.NaN])
  })

  it('finds them under the name __proto__', () => {
    const parsed = parseFinite('{"__proto__":1e999}')
    expect(Object.entries(Object(parsed))).toEqual([['__proto__', null]])
  })
})
