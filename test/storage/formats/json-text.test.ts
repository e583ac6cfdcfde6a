import { expect, it } from 'vitest'
import { describeFault } from '../../../src/storage/formats/json-text.ts'
import { parseData } from '../../../src/storage/formats/load.ts'

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
  expect(describeFault(json)).toMatch(/^not valid JSON: expected .+ at line \d+, column \d+\. [^\n]+$/)
  expect(describeFault(json).endsWith(remedy)).toBe(true)
  expect(() => parseData(json, 'db.json')).toThrow(`db.json is ${describeFault(json)}`)
})
