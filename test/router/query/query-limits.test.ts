import { describe, expect, it } from 'vitest'
import { checkQuery, parseQuery } from '../../../src/router/query/parse-query.ts'

const times = (count: number, part: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => part(n))

describe('a query', () => {
  it.each([
    ['patterns', 50, (count: number) => ({ name_like: times(count, (n) => `a${n}`) })],
    ['patterns over several fields', 50, (count: number) => fieldsOf(count, (n) => `f${n}_like`)],
    ['filters on nested fields', 50, (count: number) => fieldsOf(count, (n) => `a.f${n}`)],
    ['fields to sort by', 30, (count: number) => ({ _sort: times(count, (n) => `f${n}`).join(',') })],
  ])('may have so many %s: %i', (_name, most, make) => {
    expect(() => checkQuery(parseQuery(make(most)))).not.toThrow()
    expect(() => checkQuery(parseQuery(make(most + 1)))).toThrow(
      expect.objectContaining({ code: 'INVALID_QUERY', message: expect.stringContaining(String(most)) }),
    )
  })

  it.each([
    ['values', { id: times(10_000, String) }],
    ['unknown parameters', fieldsOf(10_000, (n) => `p${n}`)],
    ['one field to sort by', { _sort: times(5000, () => 'name') }],
  ])('may have any number of %s', (_name, query) => {
    expect(() => checkQuery(parseQuery(query))).not.toThrow()
  })
})

function fieldsOf(count: number, name: (n: number) => string): Record<string, string> {
  return Object.fromEntries(times(count, name).map((field) => [field, '1']))
}
