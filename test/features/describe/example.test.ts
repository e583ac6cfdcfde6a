import { describe, expect, it } from 'vitest'
import { exampleOf } from '../../../src/schema/example.ts'

describe('an example', () => {
  it.each<[string, unknown, unknown]>([
    ['a plain row', { id: 1, name: 'Desk', on: true, no: null }, { id: 1, name: 'Desk', on: true, no: null }],
    ['nothing', undefined, undefined],
    ['a password', { id: 1, password: 'hunter2' }, { id: 1, password: '***' }],
    ['a token in an object', { login: { accessToken: 'abc' } }, { login: { accessToken: '***' } }],
    ['a key that is a number', { api_key: 12345 }, { api_key: 0 }],
    [
      'all that is in something secret',
      { credentials: { user: 'ada', pins: [1, 2], on: true } },
      { credentials: { user: '***', pins: [0, 0], on: false } },
    ],
    ['a list', { tags: [1, 2, 3, 4, 5] }, { tags: [1, 2, 3] }],
    ['a long text', { text: 'a'.repeat(500) }, { text: `${'a'.repeat(200)}…` }],
    ['a long text that would be cut in a character', '🙂'.repeat(300), `${'🙂'.repeat(100)}…`],
    ['what JSON cannot say', { a: Number.NaN, list: [undefined] }, { a: null, list: [null] }],
  ])('of %s', (_, value, example) => {
    expect(exampleOf(value)).toEqual(example)
  })

  it.each([
    ['a parameter', 'https://example.com/?access_token=abcdef0123456789'],
    ['the user of a link', 'https://ada:abcdef0123456789@example.com/'],
    ['JSON', '{"password":"abcdef0123456789"}'],
    [
      'a signed token that is longer than what is shown',
      `eyJhbGciOi.eyJ${'abcdef0123456789'.repeat(20)}.sig`,
    ],
  ])('shows no secret that stands in a text: %s', (_, text) => {
    expect(JSON.stringify(exampleOf({ note: text }))).not.toContain('abcdef0123456789')
  })

  it('is small, however large the row is', () => {
    let deep: unknown = 'bottom'
    for (let level = 0; level < 500; level++) deep = { deep, list: [deep] }
    const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`f${n}`, n]))
    expect(JSON.stringify(exampleOf(deep)).length).toBeLessThan(20_000)
    expect(Object.keys(exampleOf(wide) as object)).toHaveLength(100)
  })
})
