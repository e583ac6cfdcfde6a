import { describe, expect, it } from 'vitest'
import { parseCsv } from '../../../src/router/query/parse-parameter.ts'

describe('a list in CSV', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['', []],
    ['  ', []],
    ['a', ['a']],
    [' a , b ', ['a', 'b']],
    ['a,', ['a', '']],
    [',', ['', '']],
    ['"a,b",c', ['a,b', 'c']],
    ['c, "a,b" ', ['c', 'a,b']],
    ['" a "', [' a ']],
    ['""', ['']],
    ['"a ""b"""', ['a "b"']],
    ['6" pipe,b"', ['6" pipe', 'b"']],
    ['a\nb,c', ['a\nb', 'c']],
    ['"a\nb"', ['a\nb']],
    ['"a', undefined],
    ['"a"b', undefined],
    ['a,"b', undefined],
    ['"a","', undefined],
  ])('%j', (text, entries) => {
    expect(parseCsv(text)).toEqual(entries)
  })

  it('is read in no time, whatever stands in it', () => {
    expect(parseCsv('" '.repeat(8000))).toBeUndefined()
    expect(parseCsv(`"${'""'.repeat(8000)}`)).toBeUndefined()
    expect(parseCsv(`${' '.repeat(16_000)}"`)).toBeUndefined()
    expect(parseCsv('a,'.repeat(8000))).toHaveLength(8001)
  })
})
