import { expect, it } from 'vitest'
import { Pattern } from '../../src/patterns/safe-pattern.ts'
import { openSchema } from '../../src/resources/open-schema.ts'

it.each<[string, string, boolean]>([
  ['^[a-z]+$', 'abc', true],
  ['^[a-z]+$', `${'abc'.repeat(100)}!`, false],
  ['^[a-z]+$', 'abc'.repeat(100_000), true],
  ['^.{2,30}$', '😀'.repeat(30), true],
  ['^.{2,30}$', '😀'.repeat(31), false],
  ['^\\p{Lu}+$', 'É'.repeat(40), true],
  // Only allowed without the mode for Unicode.
  ['^[\\w-.]+\\-$', `${'a.b'.repeat(20)}-`, true],
  ['^(?=.*\\d)(?=.*[A-Z]).{8,}$', `${'a'.repeat(40)}1B`, true],
  ['(.)\\1+$', `${'a'.repeat(40)}bb`, true],
])('%s, case %#', (pattern, text, isMatch) => {
  expect(new Pattern(pattern).test(text)).toBe(isMatch)
})

it.each<[string, string]>([
  ['^(a+)+$', `${'a'.repeat(60)}!`],
  ['^(\\w+\\s?)*$', `${'word '.repeat(30)}!`],
  ['^(a|a)*$', `${'a'.repeat(60)}!`],
  ['^(?=(a+)+$)', `${'a'.repeat(60)}!`],
  ['^(a{1,9}){1,99}$', `${'a'.repeat(300)}!`],
  ['\\s+$', `${' '.repeat(900_000)}!`],
  ['^x|\\s+$', `${' '.repeat(900_000)}!`],
  ['^[a-z]+[a-z]+[a-z]+[a-z]+$', `${'a'.repeat(9000)}!`],
])('%s, case %#, which may take years, never holds the server up', (pattern, text) => {
  expect(new Pattern(pattern).test(text)).toBe(false)
})

it('is told apart from the other patterns of a schema, wherever they stand', () => {
  const { rows } = openSchema(
    {
      properties: { a: { pattern: '^a+$' }, b: { pattern: '^b+$' } },
      patternProperties: { '^x-': { type: 'number' }, '^(y+)+$': { type: 'string' } },
      additionalProperties: false,
    },
    'test',
    [],
  )
  expect(rows.faultsOf({ a: 'aaa', b: 'bbb', 'x-1': 1, yyy: '' })).toEqual([])
  expect(rows.faultsOf({ a: 'bbb', 'x-1': '', [`${'y'.repeat(60)}!`]: '' })).toEqual([
    { path: `${'y'.repeat(60)}!`, message: 'is not a known field' },
    { path: 'a', message: 'must match the pattern ^a+$' },
    { path: 'x-1', message: 'must be a number' },
  ])
})
