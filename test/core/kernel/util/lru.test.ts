import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Lru } from '../../../../src/core/kernel/util/lru.ts'
import { cpuTime } from '../../../support/cpu-time.ts'

const KEYS = ['a', 'b', 'c', 'd', 'e']

/** Texts that take as much as they are long. */
function open(limit: number, dropped: string[] = [], mayDisplace?: (key: string) => boolean) {
  const sizeOf = (text: string) => text.length
  return new Lru<string, string>({ limit, sizeOf, mayDisplace, onDrop: (text) => dropped.push(text) })
}

function keysOf(lru: Iterable<readonly [string, unknown]>): string {
  return [...lru].map(([key]) => key).join('')
}

it('holds as many as the limit says where nobody says what they take', () => {
  const lru = new Lru<string, number>({ limit: 3 })
  for (const [at, key] of KEYS.entries()) lru.set(key, at)
  expect([...lru]).toEqual([
    ['c', 2],
    ['d', 3],
    ['e', 4],
  ])
  expect(lru.size).toBe(3)
})

it('lets go of the least recently used, and looking is not using', () => {
  const lru = new Lru<string, number>({ limit: 3 })
  for (const key of ['a', 'b', 'c']) lru.set(key, 0)
  expect([lru.get('a'), lru.peek('b'), lru.get('x'), lru.peek('x')]).toEqual([0, 0, undefined, undefined])
  lru.set('d', 0)
  expect(keysOf(lru)).toBe('cad')
})

it('is walked through from the least recently used on', () => {
  const lru = new Lru<string, number>({ limit: 3 })
  for (const [at, key] of KEYS.entries()) lru.set(key, at)
  lru.get('d')
  lru.delete('c')
  lru.set('a', 7)
  expect([...lru]).toEqual([
    ['e', 4],
    ['d', 3],
    ['a', 7],
  ])
})

it('counts a value once, however often it is put there', () => {
  const lru = open(10)
  lru.set('a', 'xxxxx')
  lru.set('a', 'xxxxxxx')
  expect(lru.size).toBe(7)
  lru.delete('a')
  expect(lru.size).toBe(0)
})

it('takes none that is larger than the limit, and keeps the others', () => {
  const lru = open(10)
  lru.set('a', 'xxx')
  lru.set('b', 'x'.repeat(11))
  expect(keysOf(lru)).toBe('a')
  lru.set('a', 'x'.repeat(11))
  expect(keysOf(lru)).toBe('')
})

it('asks whether others have to make room, and only then', () => {
  const asked: string[] = []
  const lru = open(10, [], (key) => asked.push(key) > 1)
  lru.set('a', 'xxxxxx')
  lru.set('b', 'xxxxxx')
  expect(keysOf(lru)).toBe('a')
  lru.set('b', 'xxxxxx')
  expect(keysOf(lru)).toBe('b')
  expect(asked).toEqual(['b', 'b'])
})

it('makes room when a value grew', () => {
  const sizes: Record<string, number> = { a: 3, b: 3, c: 3 }
  const lru = new Lru<string, string>({ limit: 10, sizeOf: (_, key) => sizes[key] ?? 0 })
  for (const key of ['a', 'b', 'c']) lru.set(key, key)
  sizes.c = 5
  lru.resize('c')
  lru.resize('x')
  expect([keysOf(lru), lru.size]).toEqual(['bc', 8])
})

it('lets go in the order of use, as a list does that is searched', () => {
  const step = fc.record({ key: fc.constantFrom(...KEYS), act: fc.constantFrom('get', 'set', 'delete') })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const lru = new Lru<string, string>({ limit: 3 })
      let list: string[] = []
      for (const { key, act } of steps) {
        lru[act as 'set'](key, key)
        const others = list.filter((other) => other !== key)
        if (act === 'delete') list = others
        else if (act === 'set' || list.includes(key)) list = [...others, key].slice(-3)
        expect(keysOf(lru)).toBe(list.join(''))
      }
    }),
  )
})

it('takes as long for a key that is used all the time, however many others there are', () => {
  const others = 20_000
  const time = (count: number) => {
    const lru = new Lru<number, number>({ limit: others })
    for (let key = 0; key < count; key++) lru.set(key, key)
    const start = cpuTime()
    for (let use = 0; use < 5 * others; use++) lru.get(use % 2)
    return cpuTime() - start
  }
  expect(time(others)).toBeLessThan(10 * time(10) + 100)
})

it('never holds more than its limit, knows how much it holds, and tells of all that are gone', () => {
  const step = fc.record({
    key: fc.constantFrom(...KEYS),
    size: fc.nat(12),
    act: fc.constantFrom('get', 'set', 'set', 'delete'),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const dropped: string[] = []
      const taken: string[] = []
      const lru = open(30, dropped)
      for (const [at, { key, size, act }] of steps.entries()) {
        const text = String.fromCharCode(32 + at).repeat(size)
        if (act === 'get') lru.get(key)
        else if (act === 'delete') lru.delete(key)
        else {
          lru.set(key, text)
          taken.push(text)
        }
        const held = [...lru].map(([, value]) => value)
        expect(lru.size).toBe(held.join('').length)
        expect(lru.size).toBeLessThanOrEqual(30)
        expect([...held, ...dropped].sort()).toEqual([...taken].sort())
      }
    }),
  )
})
