import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonBoundError, parseInPieces } from '../../src/json/json-parser.ts'
import type { JsonBounds } from '../../src/json/limits.ts'
import { runs } from '../support/length.ts'

const FREE: JsonBounds = { depth: 100, keys: Infinity, values: Infinity, indents: Infinity }
const parse = (text: string, bounds: Partial<JsonBounds> = {}) => parseInPieces(text, { ...FREE, ...bounds })

/** Longer than a piece, so that what holds it is taken apart. */
const LONG = 'x'.repeat(40_000)
const SPACE = ' \t\n\r'.repeat(10_000)
const rows = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, name: `row ${id}`, tags: [1, {}] }))

describe('parseInPieces gives what JSON.parse gives', () => {
  it.each<[string, unknown]>([
    ['many rows', rows(5000)],
    ['many rows in an object', { a: 1, rows: rows(5000), z: { rows: rows(3000) } }],
    ['many keys', Object.fromEntries(rows(9000).map((row) => [`k${row.id}`, row]))],
    ['keys that are numbers', Object.fromEntries(rows(9000).map((row) => [9000 - row.id, row.id]))],
    ['lists in lists in lists', [[[[rows(2000), []], rows(2000)], 1], [[[[rows(2000)]]]]]],
    ['long strings', [LONG, { [LONG]: LONG }, [LONG, [LONG]]]],
    ['strings full of what JSON is made of', rows(9000).map(({ id }) => `{"[,]}\\"\\\\${id}`)],
    ['little', { a: [] }],
    ['an empty list', []],
    ['a string', LONG],
    ['null', null],
  ])('for %s, laid out or not', async (_name, value) => {
    expect(await parse(JSON.stringify(value))).toEqual(value)
    expect(await parse(JSON.stringify(value, null, 3))).toEqual(value)
    expect(JSON.stringify(await parse(JSON.stringify(value)))).toBe(JSON.stringify(value))
  })

  it.each([
    [
      'white space everywhere',
      `${SPACE}[${SPACE}[${SPACE}]${SPACE},${SPACE}{"a"${SPACE}:${SPACE}1${SPACE}}]${SPACE}`,
    ],
    ['an empty object of white space', `{${SPACE}}`],
    ['a name that comes again', `{"a":["${LONG}",1],"b":2,"a":["${LONG}",2],"c":[3,"${LONG}",4]}`],
    ['names such as __proto__', `{"__proto__":["${LONG}",1],"b":["${LONG}",{"__proto__":1}]}`],
  ])('for %s', async (_name, text) => {
    expect(Object.entries(Object(await parse(text)))).toEqual(Object.entries(JSON.parse(text)))
    expect(JSON.stringify(await parse(text))).toBe(JSON.stringify(JSON.parse(text)))
  })

  it.each([
    ['[1 2]', `["${LONG}",1 2,"${LONG}",3]`],
    ['a comma too many', `["${LONG}",1,"${LONG}",]`],
    ['a comma too many in an object', `{"a":"${LONG}","b":1,"c":"${LONG}",}`],
    ['two commas', `["${LONG}",,"${LONG}",1]`],
    ['a comma first', `[,"${LONG}",1,"${LONG}"]`],
    ['no comma between what is long', `[["${LONG}",1,2]["${LONG}",1,2]]`],
    ['something behind what is long', `[["${LONG}",1,2]x,1]`],
    ['something before what is long', `[x["${LONG}",1,2],1]`],
    ['a long one without a name', `{["${LONG}",1,2]}`],
    ['a long one with half a name', `{"a"["${LONG}",1,2]}`],
    ['a long one with two names', `{"a":1,"b":2 "c":["${LONG}",1,2]}`],
    ['brackets that do not match', `{"a":["${LONG}",1,2}]`],
    ['brackets that do not close', `{"a":["${LONG}",1,2]`],
    ['brackets that were never opened', `["${LONG}",1,2]]`],
    ['a second value', `["${LONG}",1,2] {}`],
    ['a word before', `x["${LONG}",1,2]`],
    ['a string that does not end', `["${LONG}",1,"2]`],
    ['nothing', ''],
  ])('and refuses %s', async (_name, text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    await expect(parse(text)).rejects.toThrow(SyntaxError)
  })

  it('whatever comes, broken or not', async () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '"a"',
      `"${LONG}"`,
      '1',
      'null',
      SPACE,
      '"a":',
      '[1,2]',
    )
    const text = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc.json({ maxDepth: 4 }).map((json) => `[${json},"${LONG}",[${json},"${LONG}",2,{"a":${json}}]]`),
    )
    await fc.assert(
      fc.asyncProperty(text, async (json) => {
        expect(await outcome(() => parse(json))).toEqual(await outcome(() => JSON.parse(json)))
      }),
      runs(150),
    )
  })

  it('with null for numbers that overflow, in whichever piece they are', async () => {
    const text = `{"a":["${LONG}",1e999,"${LONG}",2],"b":-1e999}`
    expect(await parse(text)).toEqual({ a: [LONG, null, LONG, 2], b: null })
  })

  it('pausing in between', async () => {
    const parsing = parse(JSON.stringify({ rows: rows(200_000) }))
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    await parsing
    clearInterval(timer)
    expect(turns).toBeGreaterThan(2)
  })
})

describe('the bounds of parseInPieces', () => {
  const NESTED = '[[[1,2],[3]],4]'

  it.each<[keyof JsonBounds, number, string]>([
    ['depth', 3, NESTED],
    ['keys', 3, '[{"a":1,"b":2,"c":3},{"d":4}]'],
    ['values', 7, NESTED],
    ['indents', 15, NESTED],
  ])('hold for %s: %i is not too many', async (bound, most, text) => {
    expect(await parse(text, { [bound]: most })).toEqual(JSON.parse(text))
    await expect(parse(text, { [bound]: most - 1 })).rejects.toThrow(new JsonBoundError(bound))
  })
})

async function outcome(read: () => unknown): Promise<unknown> {
  try {
    return JSON.stringify(await read())
  } catch (error) {
    return error instanceof Error ? error.name : error
  }
}
