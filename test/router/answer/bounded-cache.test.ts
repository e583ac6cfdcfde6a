import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { BoundedCache } from '../../../src/router/answer/bounded-cache.ts'

const KEYS = ['/a', '/b', '/c', '/d', '/e']

function open(limit = 4000): BoundedCache<string> {
  return new BoundedCache<string>(limit, (_key, value) => value.length)
}

function kept(cache: BoundedCache<string>): readonly string[] {
  return KEYS.filter((key) => cache.get(key) !== undefined)
}

it('counts a value once, however often it is put there', () => {
  const cache = open()
  cache.set('/a', () => 'x'.repeat(500))
  cache.set('/a', () => 'x'.repeat(700))
  expect(cache.size).toBe(700)
  cache.delete('/a')
  expect(cache.size).toBe(0)
})

it('takes a value that comes twice, and lets go of the one that was not used longest', () => {
  const cache = open()
  for (const key of ['/a', '/b', '/c', '/d']) cache.set(key, () => 'x'.repeat(900))
  cache.get('/a')
  cache.set('/e', () => 'x'.repeat(900))
  expect(kept(cache)).toEqual(['/a', '/b', '/c', '/d'])
  cache.get('/a')
  for (const key of ['/c', '/d']) cache.get(key)
  cache.set('/e', () => 'x'.repeat(900))
  expect(kept(cache)).toEqual(['/a', '/c', '/d', '/e'])
})

it.each([900, 2500])(
  'keeps what it has while somebody walks through more of %i than there is room for',
  (size) => {
    const cache = open()
    cache.set('/a', () => 'x'.repeat(900))
    for (let n = 0; n < 30_000; n++) cache.set(`/walk/${n % 15_000}`, () => 'x'.repeat(size))
    expect(cache.get('/a')).toBeDefined()
  },
)

it('lets go of the one that was not used longest also when a large one comes', () => {
  const cache = open()
  for (const key of ['/a', '/b']) cache.set(key, () => 'x'.repeat(700))
  cache.get('/a')
  for (const _ of ['first', 'again']) cache.set('/c', () => 'x'.repeat(3000))
  expect(kept(cache)).toEqual(['/a', '/c'])
})

it('takes one that needs most of the room, but none that would fill it alone', () => {
  const cache = open()
  cache.set('/a', () => 'x'.repeat(3000))
  expect(cache.size).toBe(3000)
  cache.set('/a', () => 'x'.repeat(3001))
  expect(cache.size).toBe(0)
})

it('does not make a value that it does not take', () => {
  const cache = open()
  for (const key of ['/a', '/b', '/c', '/d']) cache.set(key, () => 'x'.repeat(900))
  const make = vi.fn(() => 'x')
  cache.set('/e', make)
  expect(make).not.toHaveBeenCalled()
  cache.set('/e', make)
  expect(cache.get('/e')).toBe('x')
})

it('never holds more than its limit, and knows how much it holds', () => {
  const step = fc.record({ key: fc.constantFrom(...KEYS), size: fc.nat(1200), isRead: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const cache = open()
      for (const { key, size, isRead } of steps) {
        if (isRead) cache.get(key)
        else cache.set(key, () => 'x'.repeat(size))
        expect(cache.size).toBeLessThanOrEqual(4000)
      }
      const held = KEYS.reduce((sum, key) => sum + (cache.get(key)?.length ?? 0), 0)
      expect(cache.size).toBe(held)
    }),
  )
})
