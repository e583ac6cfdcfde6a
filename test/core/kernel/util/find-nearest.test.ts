import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findNearest, nearestOf } from '../../../../src/core/kernel/util/find-nearest.ts'

it.each<[string, string, number | undefined]>([
  ['price', 'price', 0],
  ['Pri-ce', 'price', 0.5],
  ['prce', 'price', 1.5],
  ['pricee', 'price', 1.5],
  ['prise', 'price', 1.5],
  ['pirce', 'price', 1.5],
  ['priority', 'proirty', 2.5],
  ['middlewear', 'middlewares', undefined],
  ['price', 'title', undefined],
  ['ab', 'ba', 1.5],
  ['a', 'b', undefined],
  ['', 'a', undefined],
  ['a'.repeat(41), 'a'.repeat(40), undefined],
])('the distance of %s and %s is %s', (name, other, distance) => {
  expect(findNearest(name, [other])?.distance).toBe(distance)
  expect(findNearest(other, [name])?.distance).toBe(distance)
})

it('more may differ among few', () => {
  expect(nearestOf('middlewear', ['port', 'middlewares'], 9)).toEqual({
    name: 'middlewares',
    distance: 3.5,
  })
})

it('counts steps as by definition', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 9, maxLength: 12 })
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 3 }), (one, other, most) => {
      const steps = stepsBetween(one, other)
      const distance = one === other ? 0 : steps + 0.5
      expect(nearestOf(one, [other], most)?.distance).toBe(steps <= most ? distance : undefined)
    }),
    { numRuns: 1000 },
  )
})

/** By definition, and slowly. */
function stepsBetween(a: string, b: string): number {
  const known = new Map<string, number>()
  const steps = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j
    const key = `${i} ${j}`
    const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
    const least =
      known.get(key) ??
      Math.min(
        steps(i - 1, j) + 1,
        steps(i, j - 1) + 1,
        steps(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwapped ? steps(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    known.set(key, least)
    return least
  }
  return steps(a.length, b.length)
}
