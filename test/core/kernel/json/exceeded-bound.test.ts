import { expect, it } from 'vitest'
import { exceededBound } from '../../../../src/core/kernel/json/exceeded-bound.ts'
import type { JsonBounds } from '../../../../src/core/kernel/json/limits.ts'

const FREE: JsonBounds = { depth: Infinity, keys: Infinity, values: Infinity, indents: Infinity }
const NESTED = '[[[1,2],[3]],4]'

it.each<[keyof JsonBounds, number, string]>([
  ['depth', 3, NESTED],
  ['depth', 1, '["[[[", "\\"[[\\\\"]'],
  ['keys', 3, '[{"a":1,"b":2,"c":"x,y\\",z"},{"d":[4,5,6,7],"e":{"f":8}}]'],
  ['values', 7, NESTED],
  ['indents', 15, NESTED],
])('%s: %i are not too many in %s, one less is', (bound, most, text) => {
  expect(exceededBound(text, { ...FREE, [bound]: most })).toBe(undefined)
  expect(exceededBound(text, { ...FREE, [bound]: most - 1 })).toBe(bound)
})

it.each(['', '"', '"\\', ',,,', ']]}', '[', 'null'])('takes %j, which is not valid', (text) => {
  expect(exceededBound(text, FREE)).toBe(undefined)
})
