import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isKey, keyOf, startOfText, toText } from '../../../src/catalogue/text.ts'
import { runs } from '../../support/length.ts'

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
