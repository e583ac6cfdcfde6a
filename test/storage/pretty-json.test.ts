import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Work, workAtOnce } from '../../src/in-slices.ts'
import { isLong, prettyBytes, prettyPieces } from '../../src/storage/pretty-json.ts'

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    text: `line\nend "${at}" \u2028 é 😀`,
    deep: [at, {}],
  }))

describe('what is written', () => {
  it.each<[string, object]>([
    ['a long list', rowsOf(1000)],
    ['a list that fills its pieces', rowsOf(256)],
    ['a list with one row more', rowsOf(257)],
    [
      'rows that are no objects',
      Array.from({ length: 300 }, (_, at) => [null, undefined, 'a', at, []][at % 5]),
    ],
    ['a database', { posts: rowsOf(1000), profile: { name: 'a' }, tags: ['a'], none: [], more: rowsOf(300) }],
    ['what JSON leaves out', { first: undefined, posts: rowsOf(200), last: () => {} }],
    ['names in need of quotes', { 'a "b"\n': rowsOf(200) }],
    ['a collection called __proto__', JSON.parse(`{"__proto__":${JSON.stringify(rowsOf(200))}}`)],
    ['nothing', {}],
    ['an empty list', []],
    ['a short list', rowsOf(3)],
  ])('is what JSON.stringify writes: %s', (_, value) => {
    expect(workAtOnce(prettyBytes(value)).toString()).toBe(JSON.stringify(value, null, 2))
  })

  it('is what JSON.stringify writes, whatever it is', () => {
    const list = fc.array(fc.jsonValue(), { maxLength: 600, size: 'max' })
    fc.assert(
      fc.property(fc.oneof(list, fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), list))), (value) => {
        expect(workAtOnce(prettyBytes(value)).toString()).toBe(JSON.stringify(value, null, 2))
      }),
      { numRuns: 200 },
    )
  })
})

it('tells of the moment in which it began', () => {
  const data = { long: rowsOf(1000), short: rowsOf(1), later: rowsOf(500) }
  const before = JSON.stringify(data, null, 2)
  const rest = afterOneStep(prettyPieces(data))
  for (const rows of Object.values(data)) rows.splice(0, 1, ...rowsOf(3))
  expect(Buffer.concat(workAtOnce(rest)).toString()).toBe(before)
})

function afterOneStep<Result>(work: Work<Result>): Work<Result> {
  expect(work.next().done).toBe(false)
  return work
}

it.each<[boolean, unknown]>([
  [true, rowsOf(129)],
  [true, { posts: rowsOf(129) }],
  [true, { posts: rowsOf(100), more: rowsOf(29) }],
  [false, rowsOf(128)],
  [false, { posts: rowsOf(100), more: rowsOf(28) }],
  [false, [rowsOf(129)]],
  [false, 'a'.repeat(1000)],
  [false, null],
])('says %s of what is long', (expected, value) => {
  expect(isLong(value)).toBe(expected)
})
