import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repeatedKeys } from '../../../src/app/config/data-warnings.ts'

function repeatedIn(json: string): readonly string[] {
  return repeatedKeys(Buffer.from(json), Object.keys(JSON.parse(json)))
}

/** More than is looked at byte by byte. */
const LARGE = `"filler": [${'"0123456789",'.repeat(400_000)}0]`

describe.each([
  ['a small file', ''],
  ['a large file', `, ${LARGE}`],
])('in %s', (_, filler) => {
  it.each([
    ['{ "posts": [], "users": [] FILLER }', []],
    ['{ "posts": [], "posts": [] FILLER }', ['posts']],
    ['{"posts":[{"posts":[]},{"posts":{}}],"users":{"posts":[],"users":[]}FILLER}', []],
    ['{"a":[[{"b":[]}],"b",{"x":{},"b":{}}],"b":[]FILLER}', []],
    ['{"a":[],"b":{},"a" : \n\t[1],"b":{}FILLER}', ['a', 'b']],
    ['{"$schema":"x","posts":[],"users":[],"posts":[]FILLER}', ['posts']],
    ['{"a":["\\"],\\"a\\":["],"b":["\\\\"],"c":["\\"a\\": [\\\\"]FILLER}', []],
    ['{"ö\\"":[],"ö\\"":[]FILLER}', ['ö"']],
    ['{"a":{},"a":{},"a":{}FILLER}', ['a']],
    ['{"a":[],"b":[],"c":[],"d":[],"e":[],"f":[],"f":[]FILLER}', ['f']],
  ])('%s has %j twice', (json, expected) => {
    expect(repeatedIn(json.replace('FILLER', filler))).toEqual(expected)
  })
})

it.each(['{}', ' { } ', '\uFEFF{"a":[]}'])('finds nothing in %j', (json) => {
  expect(repeatedKeys(Buffer.from(json), ['a'])).toEqual([])
})

it('recognizes an escaped name', () => {
  expect(repeatedIn('{"posts":[],"\\u0070osts":[]}')).toEqual(['posts'])
})

it('agrees with the list of keys that the text was made of', () => {
  const key = fc.oneof(fc.constantFrom('a', 'b', 'c', 'a"', '\\', '{'), fc.string())
  const part = fc.tuple(key, fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())))
  fc.assert(
    fc.property(fc.array(part), fc.constantFrom(undefined, 2, '\t'), (parts, indent) => {
      const json = `{${parts.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value, null, indent)}`)}}`
      const names = parts.map(([name]) => name)
      const expected = new Set(names.filter((name, place) => names.indexOf(name) !== place))
      expect(new Set(repeatedKeys(Buffer.from(json), names))).toEqual(expected)
    }),
  )
})
