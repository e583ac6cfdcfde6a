import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StorageError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { attempt } from '../../../src/core/kernel/util/attempt.ts'
import { checkData, decodeText, parseData, parseJsonFile } from '../../../src/stores/formats/load.ts'
import { runs } from '../../support/length.ts'

describe('parseData', () => {
  it.each([
    ['collections and objects', '{"posts":[{"id":1}],"profile":{"name":"x"}}'],
    ['a byte order mark', '\uFEFF{"posts":[]}'],
    ['arrays of anything, as json-server takes them', '{"tags":["a",1,null,[2]]}'],
    ['any $schema', '{"$schema":"./schema.json","posts":[]}'],
    ['nothing at all', '{}'],
  ])('accepts %s', (_, text) => {
    expect(parseData(text, 'db.json')).toEqual(JSON.parse(text.replace('\uFEFF', '')))
  })

  it.each([
    ['', 'is empty'],
    [' \n', 'is empty'],
    ['{"a": [}', 'expected a value or "]" at line 1, column 8'],
    ['{\n  "a": [1,],\n}', 'expected a value at line 2, column 11'],
    ['{\n  "a": [],\n}', 'expected a name in double quotes at line 3, column 1'],
    ['{"a": [] "b": []}', 'expected "," or "}" at line 1, column 10'],
    ['{"a": [1 2]}', 'expected "," or "]" at line 1, column 10'],
    ["{'a': []}", 'expected a name in double quotes or "}" at line 1, column 2'],
    ['{"a" []}', 'expected ":" at line 1, column 6'],
    ['{"a": [01]}', 'expected a value or "]" at line 1, column 8'],
    ['{"a": [tru', 'expected a value or "]" at line 1, column 8'],
    ['{"a": ["x', 'expected a closing quote at line 1, column 10'],
    ['{"a": ["\\x"]}', 'expected a valid escape such as \\n or \\\\ at line 1, column 9'],
    ['{"a": ["x\ny"]}', 'expected a closing quote, or an escape such as \\n at line 1, column 10'],
    ['{"a": []', 'expected "," or "}" at line 1, column 9'],
    ['{"a": []}\n}', 'expected the end of the text at line 2, column 1'],
    ['\uFEFF{"a": []]', 'expected "," or "}" at line 1, column 9'],
  ])('says where %j goes wrong', (text, words) => {
    expect(() => parseData(text, 'db.json')).toThrow(words)
    expect(() => parseData(text, 'db.json')).toThrow(/^db\.json /)
  })

  it.each(['1e999', `1${'0'.repeat(250)}e99`, '-1E0999'])('reads %s as it will be saved', (number) => {
    expect(parseData(`{"a":[{"n":${number}}],"b":{"n":[${number}]}}`, 'db.json')).toEqual({
      a: [{ n: null }],
      b: { n: [null] },
    })
  })

  it('finds a fault wherever JSON.parse does, and never quotes the data', () => {
    const cut = fc
      .tuple(
        fc.json({ maxDepth: 4 }),
        fc.nat(),
        fc.constantFrom('', ',', '}', ']', '"', ':', '\\', 'x', '1', '\n'),
      )
      .map(
        ([text, at, extra]) =>
          text.slice(0, at % (text.length + 1)) + extra + text.slice((at % 7) + (at % 50)),
      )
    fc.assert(
      fc.property(cut, (text) => {
        fc.pre(attempt(() => JSON.parse(text)) === undefined)
        expect(faultOf(() => parseData(text, 'db.json'))?.message).toMatch(
          /^db\.json is (empty|not valid JSON: expected .{3,60} at line \d+, column \d+\. [A-Z][a-zA-Z,;:. ]+\.$)/,
        )
      }),
      runs(400),
    )
  })

  it('keeps __proto__, constructor and prototype as plain keys of their own', () => {
    const text = '{"__proto__":[{"id":1}],"constructor":[],"prototype":{"__proto__":{"polluted":true}}}'
    const data = parseData(text, 'db.json')
    expect(Object.keys(data)).toEqual(['__proto__', 'constructor', 'prototype'])
    expect(JSON.stringify(data)).toBe(text)
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype)
    expect({}).not.toHaveProperty('polluted')
  })

  it.each([
    ['lists', (levels: number) => '['.repeat(levels) + ']'.repeat(levels)],
    ['objects', (levels: number) => `${'{"a":'.repeat(levels)}0${'}'.repeat(levels)}`],
  ])('takes %s nested 999 levels under a key, refuses more', (_, nested) => {
    expect(() => parseData(`{"a":${nested(999)}}`, 'db.json')).not.toThrow()
    for (const levels of [1000, 3000, 100_000]) {
      expect(() => parseData(`{"a":${nested(levels)}}`, 'db.json')).toThrow(
        'deeper than 1000 levels under "a"',
      )
    }
  })
})

describe('checkData', () => {
  it.each([
    [null, 'holds null'],
    [undefined, 'holds nothing'],
    [[], 'holds an array'],
    ['text', 'holds a string'],
    [new Date(), 'holds a class instance'],
    [{ 'a/b': [] }, 'has the key "a/b"'],
    [{ a: 1 }, 'has a number under "a"'],
    [{ a: null }, 'has null under "a"'],
    [{ a: 'x' }, 'has a string under "a"'],
    [{ a: undefined }, 'has nothing under "a"'],
    [{ a: () => [] }, 'has a function under "a"'],
    [{ a: new Map() }, 'has a class instance under "a"'],
  ])('refuses %j', (value, words) => {
    const error = faultOf(() => checkData(value, 'db.js'))
    expect(error?.code).toBe('INVALID_DATA')
    expect(error?.message).toContain(`db.js ${words}`)
  })

  it('refuses data that contains itself', () => {
    const posts: unknown[] = []
    posts.push({ id: 1, all: posts })
    expect(() => checkData({ posts }, 'db.js')).toThrow('remove the cycle')
  })

  it('returns the same object', () => {
    const data = { posts: [] }
    expect(checkData(data, 'db.js')).toBe(data)
    expect(checkData(Object.create(null), 'db.js')).toEqual({})
  })
})

describe('decodeText', () => {
  it('refuses text that is not UTF-8, which a save would damage', () => {
    expect(() => decodeText(Buffer.from('{"a":["é"]}', 'latin1'), 'db.json')).toThrow('db.json is not UTF-8')
    expect(() => decodeText(Buffer.from('\uFEFF{}', 'utf16le'), 'db.json')).toThrow('Save it as UTF-8')
    expect(decodeText(Buffer.from('{"a":["é"]}'), 'db.json')).toBe('{"a":["é"]}')
  })
})

it.each([
  ['{\n  // all posts\n  "posts": []\n}', 'line 2, column 3. JSON has no comments: remove it.'],
  ['{ "posts": [] /* none */ }', 'JSON has no comments: remove it.'],
  ['# posts\n{}', 'line 1, column 1. JSON has no comments: remove it.'],
  ['{ "posts": [{ "id": 1 },] }', 'column 25. Remove the comma before it.'],
  ['{ "posts": [],\n\n}', 'line 3, column 1. Remove the comma before it.'],
  ['{ "posts": [1,, 2] }', 'Remove the comma before it.'],
  ["{ 'posts': [] }", 'Use double quotes.'],
  ['{ "posts": [{ "title": \'a\' }] }', 'Use double quotes.'],
  ['{ “posts”: [] }', 'Use double quotes.'],
  ['{ posts: [] }', 'column 3. Put the name in double quotes.'],
  ['{ "posts": [{ id: 1 }] }', 'Put the name in double quotes.'],
  ['{ /api/*: "/$1" }', 'Put the name in double quotes.'],
  ['{ "a": {} "b": {} }', 'column 11. Add the comma that is missing before it.'],
  ['{ "a": [{} {}] }', 'Add the comma that is missing before it.'],
  ['{ "a": [True] }', 'Put text in double quotes; or write null, true or false.'],
  ['{ "a": undefined }', 'Put text in double quotes; or write null, true or false.'],
  ['{ "posts": [', 'The text ends there: something was not closed.'],
  ['{ "posts": "a', 'The text ends there: something was not closed.'],
  ['<!doctype html>\n<html></html>', 'line 1, column 1. This looks like a web page.'],
  [
    'module.exports = { posts: [] }',
    'This looks like JavaScript: name the file .js, or leave the object alone.',
  ],
  [
    '{\n<<<<<<< HEAD\n  "a": {}\n=======\n}',
    'line 2, column 1. This looks like a merge conflict: resolve it.',
  ],
  ['{ "a": {},\n<<<<<<< HEAD\n  "a": {}\n=======\n}', 'This looks like a merge conflict: resolve it.'],
  ['{} {}', 'Correct it there.'],
  ['{ "a": 01 }', 'Correct it there.'],
])('says what to do about %j', (json, remedy) => {
  expect(() => JSON.parse(json)).toThrow()
  const fault = faultOf(() => parseData(json, 'db'))?.message.replace('db is ', '') ?? ''
  expect(fault).toMatch(/^not valid JSON: expected .+ at line \d+, column \d+\. [^\n]+$/)
  expect(fault.endsWith(remedy)).toBe(true)
  expect(() => parseData(json, 'db.json')).toThrow(`db.json is ${fault}`)
  expect(() => parseJsonFile(Buffer.from(json), 'a.json')).toThrow(`a.json: ${fault}`)
})

function faultOf(work: () => unknown): StorageError | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof StorageError) return error
    throw error
  }
  return undefined
}
