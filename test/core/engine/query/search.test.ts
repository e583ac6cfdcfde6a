import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSearch, searchText } from '../../../../src/core/engine/query/search.ts'
import { runs } from '../../../support/length.ts'

/** Far longer than what most rows have. */
const LONG = 16_384

/** Among them what changes its length, or looks around itself, when it becomes lower case. */
const NEEDLES = ['needle', 'i\u0307x', 'ας', 'σα', '\u{10428}b', `${'lo'.repeat(50)}ng`, 'a\nb', '12']
const HAY = [
  'Needle',
  '\u0130X',
  'ΑΣ',
  'ΣΑ',
  '\u{10400}B',
  `${'LO'.repeat(50)}NG`,
  'A\nB',
  'ΑΣ.Β',
  'lolong',
  '312',
]

describe('a search', () => {
  it('finds in long strings what it would find in the whole of them', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...NEEDLES),
        fc.constantFrom(...HAY),
        fc.constantFrom(LONG - 1, LONG, 3 * LONG - 60, 3),
        fc.constantFrom('.', 'x', '\u{10400}'),
        (needle, hay, start, filler) => {
          const text = filler.repeat(start) + hay + filler.repeat(LONG)
          const row = { id: 1, deep: [{ text }] }
          expect(compileSearch(needle)(row)).toBe(text.toLowerCase().includes(needle))
        },
      ),
      runs(100),
    )
  })

  it.each<[string, unknown, string]>([
    ['a long list', { a: [...new Array(3000).fill(1), { b: ['here'] }] }, 'here'],
    ['many fields', Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [n, `v${n}`])), 'v2999'],
    ['many strings', { a: Array.from({ length: 500 }, (_, n) => 'x'.repeat(200) + n) }, 'x0'],
  ])('looks through %s', (_name, row, needle) => {
    expect(compileSearch(needle)(row)).toBe(true)
    expect(compileSearch('nowhere')(row)).toBe(false)
    expect(searchText(row, 1000)).toBeUndefined()
  })

  it('has a text of a row to look through where that is short', () => {
    const row = { a: 'x', b: [1, { c: true }], d: null, e: 0 }
    expect(searchText(row, 100)?.split('\n').sort()).toEqual(['1', 'true', 'x'])
    expect(searchText(row, 5)).toBeUndefined()
  })

  it('for a long text takes no longer than the text is long', () => {
    const row = { text: 'a'.repeat(1000), more: new Array(900).fill('a'.repeat(30)) }
    const search = compileSearch(`b${'a'.repeat(5000)}`)
    const start = performance.now()
    for (let n = 0; n < 50; n++) expect(search(row)).toBe(false)
    expect(performance.now() - start).toBeLessThan(5000)
  })
})
