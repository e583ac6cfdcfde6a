import { expect, it } from 'vitest'
import { findNearest } from '../../src/util/find-nearest.ts'

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
  expect(findNearest('middlewear', ['port', 'middlewares'], 9)).toEqual({
    name: 'middlewares',
    distance: 3.5,
  })
})
