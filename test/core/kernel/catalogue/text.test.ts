import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compileContains,
  compileEndsWith,
  compileStartsWith,
  fold,
  isKey,
  keyOf,
  startOfText,
  toText,
} from '../../../../src/core/kernel/catalogue/text.ts'
import { runs } from '../../../support/length.ts'

const { list } = fc.letrec<{ list: unknown[] }>((tie) => ({
  list: fc.array(
    fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<unknown>('a', '', 'a,b', 1, -0, null, undefined, true, { a: 1 }, 1e21),
      tie('list'),
    ),
    { maxLength: 8 },
  ),
}))
const anyList = fc.oneof(
  list,
  fc.tuple(list, fc.nat({ max: 3000 })).map(([some, size]) => [...some, new Array(size).fill(some)]),
)

describe('the text of a list', () => {
  it('begins as it does, and is whole where it is not longer than asked for', () => {
    fc.assert(
      fc.property(anyList, fc.nat({ max: 2000 }), (value, most) => {
        const start = startOfText(value, most)
        expect(String(value).startsWith(start)).toBe(true)
        if (start.length <= most) expect(start).toBe(String(value))
      }),
      runs(80),
    )
  })

  it.each<[string, readonly unknown[]]>([
    ['numbers', [1, -0, 0.1, 1e21, -1e-7, Number.MAX_SAFE_INTEGER]],
    ['numbers, but for one', [1, null]],
    ['numbers that JSON does not have', [1, Number.NaN, Number.POSITIVE_INFINITY]],
    ['strings', ['a', 'b,"c"']],
  ])('is the same, however many entries it has: %s', (_, some) => {
    const long = Array.from({ length: 20_000 }, (_, at) => some[at % some.length])
    expect(toText(long)).toBe(String(long))
  })

  it('leaves out a list within itself, as JavaScript does', () => {
    const circle: unknown[] = new Array(1500).fill(1)
    circle.push(circle, 2)
    for (const most of [100, 2999, 3000, 10_000]) {
      expect(String(circle).startsWith(startOfText(circle, most))).toBe(true)
    }
    expect(startOfText(circle, 10_000)).toBe(String(circle))
    const empty: unknown[] = []
    empty.push(empty)
    expect(startOfText(empty, 5)).toBe('')
  })
})

describe('the key of a value', () => {
  it.each<[unknown]>([[1], ['a'], [[1, 2]], [{ a: 1 }], [[[1], { b: 2 }]], [true], [{ toString: 1 }], [[]]])(
    'is its text: %j',
    (value) => {
      expect(keyOf(value)).toBe(toText(value))
      expect(isKey(toText(value))).toBe(true)
    },
  )

  it.each<[string, unknown]>([
    ['a long list', new Array(9000).fill(1)],
    ['a long string', 'x'.repeat(20_000)],
    ['a short list of long strings', ['x'.repeat(20_000)]],
  ])('is missing for %s, and nobody can ask for it', (_name, value) => {
    expect(keyOf(value)).toBeUndefined()
    expect(isKey(toText(value))).toBe(false)
  })
})

const letters = fc.constantFrom('a', 'A', 'ß', 'İ', 'Σ', 'ς', 'σ', 'K', '\u212a', '𐐀', '\ud801', '.', ' ')
const text = fc.array(letters, { maxLength: 12 }).map((all) => all.join(''))

describe('without regard to case', () => {
  it.each([
    ['ΟΔΟΣ ΟΔΟΣ', 'οδος', true, true],
    ['ΑΣΑ', 'ας', true, false],
    ['\u212aelvin', 'K', true, false],
    ['İstanbul', 'i', true, false],
    ['Straße', 'SS', false, false],
  ])('%s and %s', (whole, part, starts, ends) => {
    expect(compileStartsWith([part])(whole)).toBe(starts)
    expect(compileEndsWith([part])(whole)).toBe(ends)
    expect(compileContains([part])(whole)).toBe(starts || ends)
  })

  it('the part of a text that is looked at tells as much as the whole, however long that is', () => {
    fc.assert(
      fc.property(text, text, fc.constantFrom(0, 100, 5000), fc.boolean(), (one, part, times, isBefore) => {
        const filler = '-+'.repeat(times)
        const whole = isBefore ? filler + one : one + filler
        expect(compileStartsWith([part])(whole)).toBe(fold(whole).startsWith(fold(part)))
        expect(compileEndsWith([part])(whole)).toBe(fold(whole).endsWith(fold(part)))
        expect(compileContains([part])(whole)).toBe(fold(whole).includes(fold(part)))
      }),
      runs(200),
    )
  })

  it.each([16_380, 16_383, 16_384, 16_385, 16_390])('finds what begins at %i of a long text', (at) => {
    const whole = `${'-'.repeat(at)}İΣ𐐀x${'-'.repeat(20_000)}`
    expect(compileContains(['σ𐐨X'])(whole)).toBe(true)
    expect(compileContains(['σ𐐨y'])(whole)).toBe(false)
  })
})
