import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compileRe2 } from '../../../../src/core/kernel/patterns/re2.ts'
import { translate } from '../../../../src/core/kernel/patterns/translate.ts'
import { runs } from '../../../support/length.ts'

const LETTERS =
  'aAbBcCkKsSzZ1_-. \n\r\t\v\f\u00a0\u2028\u200b\ufeff\uffff\u212aſßẞéÉΣςσµμ{}]/\\ux8\u0001\0ᲀВвϴθΩꭰᎠﬁŉÅåÅᾳᾼɏɎÿŸİıǅǄǆ'
/** Halves of a pair, pairs, and letters of more than 16 bits that have a capital. */
const HALVES = ['\ud83d', '\ude00', '\u{1f600}', '\u{10428}', '\u{10400}']

const ATOMS: readonly string[] = [
  ...[...'abAkKsſßéΣςµ.^$-_1]{}\nİǆᲀθΩåÿ', ...HALVES],
  ...[
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '\\b',
    '\\B',
    '\\/',
    '\\-',
    '\\_',
    '\\.',
    '\\\\',
    '\\é',
    '\\e',
  ],
  ...[
    '\\n',
    '\\t',
    '\\v',
    '\\c',
    '\\cA',
    '\\0',
    '\\01',
    '\\7',
    '\\8',
    '\\k',
    '\\p',
    '\\p{L}',
    'a{,2}',
    'a{2',
  ],
  ...[
    '\\u0061',
    '\\x61',
    '\\u{2}',
    '\\u{61}',
    '\\u{1f600}',
    '\\ud83d',
    '\\ud83d\\ude00',
    '\\u212a',
    '\\u03c3',
  ],
  ...[
    '[a-c]',
    '[^a]',
    '[^]',
    '[]',
    '[a-]',
    '[-a]',
    '[\\d-z]',
    '[z-\\d]',
    '[\\d-\\d]',
    '[\\b]',
    '[\\c]',
    '[\\c1]',
  ],
  ...[
    '[^\\W]',
    '[A-z]',
    '[à-ɏ]',
    '[😀]',
    '[^k-s]',
    '[\\]a]',
    '[\\1]',
    '[\\s\\S]',
    '[^\\s]',
    '[^\\S]',
    '[a\\-z]',
  ],
  ...[
    '[\\u0000-\\uffff]',
    '[\\ud800-\\udbff]',
    '[^\\ud800-\\udfff]',
    '[😀-🙏]',
    '[\\0-\\x1f]',
    '[.^$]',
    '[^^]',
  ],
  ...[
    '[α-ω]',
    '[^α-ω]',
    '[Α-Ω]',
    '[ß-ÿ]',
    '[Ꭰ-Ᏼ]',
    '[ꭰ-ꮿ]',
    '[ᲀ-ᲈ]',
    '[ſ]',
    '[\\u212a]',
    '[k-l]',
    '[|)]',
    '[(]',
  ],
]

const QUANTIFIERS = [
  ...['', '', '', '', '', '*', '+', '?', '*?', '+?', '??'],
  ...['{2}', '{0}', '{0,0}', '{1,}', '{2,}?', '{0,2}', '{1,3}?'],
]

const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 3, arbitrary: fc.constantFrom(...ATOMS) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('(', '(?:', '(', '(?:', '(?<n>', '(?='), tie('pattern'))
        .map(([open, inner]) => `${open}${inner})`),
    },
  ),
  pattern: fc
    .array(fc.tuple(tie('term'), fc.constantFrom(...QUANTIFIERS), fc.constantFrom('', '', '', '', '', '|')), {
      maxLength: 4,
    })
    .map((terms) => terms.map(([term, times, bar]) => `${term}${times}${bar}`).join('')),
}))

const texts = fc.array(
  fc.array(fc.constantFrom(...LETTERS, ...HALVES), { maxLength: 8 }).map((chars) => chars.join('')),
  { minLength: 4, maxLength: 8 },
)

function tryCompile(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'i')
  } catch {
    return undefined
  }
}

it('finds what JavaScript finds', () => {
  let agreed = 0
  fc.assert(
    fc.property(pattern, texts, (written, samples) => {
      const expression = tryCompile(written)
      if (!expression) return
      const { source, unsupported } = translate(written)
      if (unsupported !== undefined) return
      const test = compileRe2(source)
      for (const sample of samples) {
        const label = `${JSON.stringify(written)} in ${JSON.stringify(sample)}`
        expect(test(sample), label).toBe(expression.test(sample))
        agreed++
      }
    }),
    runs(200),
  )
  expect(agreed).toBeGreaterThan(300)
})

it('finds it also when there are more states than it can remember', () => {
  const written = 'a[ab]{14}c|b[^c]{12}$'
  const test = compileRe2(translate(written).source)
  const abs = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 20, maxLength: 60 })
  fc.assert(
    fc.property(abs, (text) => {
      expect(test(text)).toBe(new RegExp(written, 'i').test(text))
    }),
    runs(600),
  )
})

it.each([
  ['a(?=b)', '(?='],
  ['(?<!a)b', '(?<!'],
  ['(.)\\1', '\\1'],
  ['(?<n>a)\\k<n>', '\\k'],
  ['\\cA', '\\c'],
])('says what it cannot translate of %s', (written, part) => {
  expect(translate(written).unsupported).toBe(part)
})
