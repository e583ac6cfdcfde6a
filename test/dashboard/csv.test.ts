import { describe, expect, it } from 'vitest'
import { readCsv, writeCsv } from '../../src/dashboard/client/csv.ts'
import { parseCsv } from '../../src/router/query/parse-parameter.ts'

const LISTS: readonly (readonly [readonly string[], string])[] = [
  [[], ''],
  [['1', '2'], '1,2'],
  [['a,b', 'c'], '"a,b",c'],
  [['say "hi"'], '"say ""hi"""'],
  [[' a '], '" a "'],
  [['1', ''], '1,'],
  [['', '2'], ',2'],
  [['', ''], ','],
  [['a\nb'], 'a\nb'],
]

describe('a list of values', () => {
  it.each(LISTS)('%j is written as %s, and read back', (entries, csv) => {
    expect(writeCsv(entries)).toBe(csv)
    expect(readCsv(csv)).toEqual(entries)
  })

  it.each(LISTS)('%j is what the API reads, too', (entries, csv) => {
    expect(parseCsv(csv)).toEqual(entries)
  })

  it.each([
    ['a , b', ['a', 'b']],
    ['"a', ['"a']],
  ])('reads %s as %j', (csv, entries) => {
    expect(readCsv(csv)).toEqual(entries)
  })
})
