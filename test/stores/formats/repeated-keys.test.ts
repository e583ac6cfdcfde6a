import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repeatedKeys } from '../../../src/stores/formats/repeated-keys.ts'

async function repeatedIn(json: string, names = Object.keys(JSON.parse(json))): Promise<readonly string[]> {
  return (await repeatedKeys(Buffer.from(json), names)).map(({ name }) => name)
}

/** More than is looked at closely without a reason. */
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
  ])('%s has %j twice', async (json, expected) => {
    expect(await repeatedIn(json.replace('FILLER', filler))).toEqual(expected)
  })
})

it.each(['{}', ' { } ', '\uFEFF{"a":[]}'])('finds nothing in %j', async (json) => {
  expect(await repeatedIn(json, ['a'])).toEqual([])
})

it('says where the last one is', async () => {
  const json = '\uFEFF{\n  "posts": [],\r\n  "users": [],\n\t"posts": []\n}'
  expect(await repeatedKeys(Buffer.from(json), ['posts', 'users'])).toEqual([
    { name: 'posts', line: 4, column: 2 },
  ])
})

it('recognizes an escaped name', async () => {
  expect(await repeatedIn('{"posts":[],"\\u0070osts":[]}')).toEqual(['posts'])
})

it('agrees with the list of keys that the text was made of', async () => {
  const key = fc.oneof(fc.constantFrom('a', 'b', 'c', 'a"', '\\', '{'), fc.string())
  const part = fc.tuple(key, fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())))
  await fc.assert(
    fc.asyncProperty(fc.array(part), fc.constantFrom(undefined, 2, '\t'), async (parts, indent) => {
      const json = `{${parts.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value, null, indent)}`)}}`
      const names = parts.map(([name]) => name)
      const expected = new Set(names.filter((name, place) => names.indexOf(name) !== place))
      expect(new Set(await repeatedIn(json, names))).toEqual(expected)
    }),
  )
})
