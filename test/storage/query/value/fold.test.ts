import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileContains, compileEndsWith, compileStartsWith, fold } from '../../../../src/catalogue/text.ts'
import { runs } from '../../../support/length.ts'

const letters = fc.constantFrom('a', 'A', 'ß', 'İ', 'Σ', 'ς', 'σ', 'K', '\u212a', '𐐀', '\ud801', '.', ' ')
const text = fc.array(letters, { maxLength: 12 }).map((all) => all.join(''))

describe('without regard to case', () => {
  it.each([
    ['ΟΔΟΣ ΟΔΟΣ', 'οδος', true, true],
    ['ΑΣΑ', 'ας', true, false],
    ['\u212aelvin', 'K', true, false],
    ['İstanbul', 'i', true, false],
    ['Straße', 'SS', false, false],
  ])('%s and %s', (whole, part, starts, ends) => {
    expect(compileStartsWith([part])(whole)).toBe(starts)
    expect(compileEndsWith([part])(whole)).toBe(ends)
    expect(compileContains([part])(whole)).toBe(starts || ends)
  })

  it('the part of a text that is looked at tells as much as the whole, however long that is', () => {
    fc.assert(
      fc.property(text, text, fc.constantFrom(0, 100, 5000), fc.boolean(), (one, part, times, isBefore) => {
        const filler = '-+'.repeat(times)
        const whole = isBefore ? filler + one : one + filler
        expect(compileStartsWith([part])(whole)).toBe(fold(whole).startsWith(fold(part)))
        expect(compileEndsWith([part])(whole)).toBe(fold(whole).endsWith(fold(part)))
        expect(compileContains([part])(whole)).toBe(fold(whole).includes(fold(part)))
      }),
      runs(200),
    )
  })

  it.each([16_380, 16_383, 16_384, 16_385, 16_390])('finds what begins at %i of a long text', (at) => {
    const whole = `${'-'.repeat(at)}İΣ𐐀x${'-'.repeat(20_000)}`
    expect(compileContains(['σ𐐨X'])(whole)).toBe(true)
    expect(compileContains(['σ𐐨y'])(whole)).toBe(false)
  })
})
