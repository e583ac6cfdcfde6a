import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeRounded, mayBeRounded } from '../../../../src/core/kernel/json/rounded-numbers.ts'

it('names five numbers at most, and shortens them', () => {
  const text = `[${'9'.repeat(99)},\n${Array(7).fill('-1e400').join()}]`
  expect(describeRounded(text)).toBe(
    `${'9'.repeat(40)}… (line 1, column 2) is 1e+99, -1e400 (line 2, column 1) is null, -1e400 (line 2, column 8) is null, ` +
      '-1e400 (line 2, column 15) is null, -1e400 (line 2, column 22) is null and 3 more',
  )
})

it('takes no number for a rounded one that JavaScript wrote', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(describeRounded(JSON.stringify(JSON.parse(text)))).toBe(undefined)
    }),
  )
})

it('suspects each whole number that was rounded', () => {
  const digits = fc.stringMatching(/^-?[1-9][0-9]{0,25}$/)
  fc.assert(
    fc.property(digits, fc.nat(400), (whole, zeros) => {
      for (const literal of [whole, `${whole}.0`, `${whole}e${zeros}`])
        expect([literal, mayBeRounded(Number(literal))]).toContain(
          describeRounded(literal) === undefined ? literal : true,
        )
    }),
  )
})

it.each([
  ['0.1234567890123456789', true],
  ['1e-400', true],
  ['12345678.12345678901234', true],
  ['0.30000000000000001', false],
  ['52.520006599999998', false],
  ['123456789012345678e-2', true],
])('tells %s from a fraction that a program wrote with all digits of a double', (literal, isRounded) => {
  expect(describeRounded(literal) !== undefined).toBe(isRounded)
})
