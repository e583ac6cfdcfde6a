import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isSameJson } from '../../../../src/core/kernel/json/values.ts'

it.each<[unknown, unknown, boolean]>([
  [1, 1, true],
  [1, '1', false],
  [0, -0, true],
  [null, Number.POSITIVE_INFINITY, true],
  [null, 0, false],
  [{}, [], false],
  [{}, null, false],
  [null, {}, false],
  [{ a: 1, b: [2, { c: 3 }] }, { b: [2, { c: 3 }], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, true],
  [{ a: undefined }, { b: undefined }, true],
  [{ a: 1 }, { b: 1 }, false],
  [{ a: 1 }, { a: 1, b: 1 }, false],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  [[undefined], [null], true],
  [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}'), true],
  [JSON.parse('{"__proto__":1}'), {}, false],
  [{}, JSON.parse('{"__proto__":1}'), false],
])('%j and %j', (a, b, isSame) => {
  expect(isSameJson(a, b)).toBe(isSame)
  expect(isSameJson(b, a)).toBe(isSame)
})

it('holds for any value and what is left of it in a file', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(isSameJson(a, JSON.parse(JSON.stringify(a)))).toBe(true)
      if (JSON.stringify(a) === JSON.stringify(b)) expect(isSameJson(a, b)).toBe(true)
    }),
  )
})
