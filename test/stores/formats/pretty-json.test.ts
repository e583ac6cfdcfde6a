import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  collectPieces,
  isLong,
  PrettyWriter,
  prettyJson,
  prettyList,
} from '../../../src/core/kernel/json/pretty-json.ts'
import { runs } from '../../support/length.ts'

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    text: `line\nend "${at}" \u2028 é 😀`,
    deep: [at, {}],
  }))

const together = (pieces: Iterable<Uint8Array>) => Buffer.concat([...pieces]).toString()

describe('what is written', () => {
  it.each<[string, unknown]>([
    ['a long list', rowsOf(10_000)],
    [
      'rows that are no objects',
      Array.from({ length: 30_000 }, (_, at) => [null, undefined, 'a', at, []][at % 5]),
    ],
    [
      'a database',
      { posts: rowsOf(3000), profile: { name: 'a' }, tags: ['a'], none: [], more: rowsOf(3000) },
    ],
    ['what JSON leaves out', { first: undefined, posts: rowsOf(3000), last: () => {}, [Symbol('a')]: 1 }],
    ['names in need of quotes', { 'a "b"\n': rowsOf(3000) }],
    ['a collection called __proto__', JSON.parse(`{"__proto__":${JSON.stringify(rowsOf(3000))}}`)],
    ['one row with a long list', [{ id: 1, list: rowsOf(3000), end: 1 }]],
    ['a row between two that are huge', [{ a: 'x'.repeat(2e5) }, { id: 2 }, { b: rowsOf(2000) }, 3]],
    ['a long string', `"\n${'é😀\ud800'.repeat(100_000)}`],
    [
      'an object of many fields',
      Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, at])),
    ],
    ['names that are numbers', { b: 'x'.repeat(1e5), 2: rowsOf(2000), 1: 0 }],
    ['what says itself what it is in JSON', [{ when: new Date(0), list: { toJSON: () => rowsOf(3000) } }]],
    ['what says that it is nothing', { a: { toJSON: () => undefined }, b: rowsOf(3000) }],
    ['objects around strings', [new String('a'.repeat(1e5)), { a: new String('b'.repeat(1e5)) }]],
    ['lists in lists', nested(150, rowsOf(500))],
    ['lists in more lists', nested(400, rowsOf(500))],
    ['nothing', {}],
    ['an empty list', []],
    ['a short list', rowsOf(3)],
    ['a number', 1],
  ])('is what JSON.stringify writes: %s', (_, value) => {
    expect(together(prettyJson(value)) === JSON.stringify(value, null, 2)).toBe(true)
  })

  it.each([1, 7, 30, 100])(
    'is what JSON.stringify writes, whatever it is, %i characters at a time',
    (long) => {
      const text = fc.string({ unit: 'binary', maxLength: 40 })
      const { value } = fc.letrec((tie) => ({
        value: fc.oneof(
          { maxDepth: 5 },
          text,
          fc.constantFrom(null, true, 1.5, '\ud83d', '\ude00', '😀😀😀', undefined),
          fc.array(tie('value'), { maxLength: 6 }),
          fc.dictionary(text, tie('value'), { maxKeys: 6 }),
        ),
      }))
      fc.assert(
        fc.property(value, fc.boolean(), (value, isRepeated) => {
          const writer = new PrettyWriter(isRepeated ? new WeakMap() : undefined, long)
          expect(together(writer.write([value, value]))).toBe(JSON.stringify([value, value], null, 2))
        }),
        runs(60),
      )
    },
  )

  it('is refused where JSON.stringify refuses it', () => {
    const circle: unknown[] = ['x'.repeat(100_000)]
    circle.push({ circle }, { circle })
    expect(() => together(prettyJson(circle))).toThrow(TypeError)
  })
})

it.each<[string, unknown]>([
  ['many small rows', rowsOf(20_000)],
  ['one huge row', [{ list: rowsOf(20_000) }]],
  ['one huge string', { profile: 'ab"c'.repeat(1e6) }],
  ['many fields', Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, at]))],
])('is written in pieces that are all short: %s', (_, value) => {
  const lengths = [...prettyJson(value)].map(({ length }) => length)
  expect(Math.max(...lengths)).toBeLessThan(500_000)
  expect(Math.min(...lengths)).toBeGreaterThan(0)
  expect(lengths.length).toBeGreaterThan(10)
})

it('is gathered with pauses, so that others get their turn', async () => {
  const long = Array.from({ length: 100_000 }, (_, id) => ({ id, title: `Title ${id}` }))
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  const pieces = await collectPieces(prettyJson(long))
  clearInterval(timer)
  expect(turns).toBeGreaterThan(3)
  expect(together(pieces) === JSON.stringify(long, null, 2)).toBe(true)
})

describe('an object that repeats in many rows', () => {
  /** A parent that counts how often it is read. */
  function counted(size: number) {
    const count = { reads: 0 }
    const parent = {
      get list() {
        count.reads++
        return 'x'.repeat(size)
      },
    }
    return { parent, count }
  }

  it('is serialized once', () => {
    const readsFor = (rows: number) => {
      const { parent, count } = counted(200_000)
      const list = Array.from({ length: rows }, (_, id) => ({ id, parent }))
      const pieces = [...prettyList(list)]
      expect(together(pieces) === JSON.stringify(list, null, 2)).toBe(true)
      const memory = new Set(pieces.filter(({ length }) => length > 10_000))
      expect(memory.size).toBeLessThan(10)
      return count.reads
    }
    // To find out that it is long, it is looked at for each row; JSON.stringify reads all of it to compare.
    expect(readsFor(200) - readsFor(100)).toBeLessThanOrEqual(100 * 4)
  })

  it('is serialized again at another depth', () => {
    const parent = { list: rowsOf(3000) }
    const list = [{ parent }, { deeper: { parent } }, { parent }, [[{ parent }]]]
    expect(together(prettyList(list)) === JSON.stringify(list, null, 2)).toBe(true)
  })

  it('makes room for others that are more frequent', () => {
    const parents = Array.from({ length: 30 }, (_, n) => ({ n, text: `${n}`.repeat(300_000) }))
    const list = Array.from({ length: 45 }, (_, n) => ({ a: parents[0], b: parents[n % 30] }))
    const pieces = [...prettyList(list)]
    expect(together(pieces) === JSON.stringify(list, null, 2)).toBe(true)
    const first = pieces.filter((piece) => Buffer.from(piece.subarray(0, 200)).includes('"n": 0,'))
    expect(first.length).toBeGreaterThanOrEqual(45)
    expect(new Set(first).size).toBe(1)
  })
})

it.each<[boolean, string, unknown]>([
  [true, 'many rows', rowsOf(1000)],
  [true, 'a database of many rows', { posts: rowsOf(600), more: rowsOf(600) }],
  [true, 'a long string', 'a'.repeat(100_000)],
  [true, 'one huge row', { id: 1, tags: Array.from({ length: 30_000 }, () => 1) }],
  [true, 'a few numbers that stand very deep', nested(300, [1])],
  [false, 'some rows', rowsOf(100)],
  [false, 'nothing', null],
])('says %s of what is long: %s', (expected, _, value) => {
  expect(isLong(value)).toBe(expected)
})

function nested(depth: number, value: unknown): unknown {
  return depth === 0 ? value : nested(depth - 1, [value])
}
