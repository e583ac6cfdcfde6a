import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compileLike,
  LongText,
  MOST_CHARACTERS,
  MOST_STEPS,
  needsEngine,
} from '../../../../src/storage/query/like/like.ts'

function isFoundBy(pattern: string, text: string): boolean {
  return compileLike(pattern)(text)
}

describe('compileLike', () => {
  it.each<[string, string, boolean]>([
    ['json', 'A JSON server', true],
    ['^json', 'A JSON server', false],
    ['ser.er$', 'A JSON server', true],
    ['', '', true],
    ['[abc]{2}|x+y?', 'zCbz', true],
    ['straße', 'STRASSE', false],
    ['k', '\u212a', false],
    ['ς', 'Σ', true],
    ['^.$', '\u{1f600}', false],
    ['^..$', '\u{1f600}', true],
    ['a.b', 'a\u2028b', false],
    ['a[^]b', 'a\nb', true],
    ['\\u0041\\x42\\103', 'abc', true],
    ['a{,2}', 'xA{,2}', true],
    ['\\bcat\\b', 'a cat.', true],
    ['\\Bcat', 'a cat.', false],
  ])('%j in %j: %s, as in JavaScript', (pattern, text, isFound) => {
    expect(new RegExp(pattern, 'i').test(text)).toBe(isFound)
    expect(isFoundBy(pattern, text)).toBe(isFound)
  })

  it.each([
    ['C++', 'I like c++.', 'I like c'],
    ['(', 'a (b)', 'ab'],
    ['[', 'a[0]', 'a'],
    ['*', '2*3', '23'],
    ['a\\', 'A\\b', 'ab'],
    ['[b-a]', 'x[B-A]y', 'a'],
  ])('matches literally what does not compile: %s', (pattern, hit, miss) => {
    expect(isFoundBy(pattern, hit)).toBe(true)
    expect(isFoundBy(pattern, miss)).toBe(false)
  })

  it.each([
    '(?=a)a',
    '(?!b)a',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    `a{${MOST_STEPS + 1}}`,
    '(a{99}){99}',
    `[ab]${'ab'.repeat(MOST_CHARACTERS)}`,
  ])('leaves to the engine what is no job for an automaton, or too big: %s', (pattern) => {
    expect(needsEngine(pattern)).toBe(true)
  })

  it.each([
    'json',
    '(a+)+$',
    '(?:a|b)*',
    '(?<name>a)b',
    'C++',
    '(?',
    '(?<=',
    'a'.repeat(2 * MOST_CHARACTERS),
  ])('needs no engine for %s', (pattern) => {
    expect(needsEngine(pattern)).toBe(false)
  })

  it('matches long texts literally, whatever their case', () => {
    const long = `${'ab'.repeat(MOST_CHARACTERS)}É`
    expect(isFoundBy(long, `abab${long.toUpperCase()}x`)).toBe(true)
    expect(isFoundBy(long, long.slice(0, -1))).toBe(false)
    expect(isFoundBy('aab'.repeat(40), 'aa'.repeat(100) + 'AAB'.repeat(40))).toBe(true)
  })
})

describe('agreement with JavaScript', () => {
  const char = fc.constantFrom(
    ...'aAbBcCkKsS1_- \n\u2028\u212aſßéÉΣςσµμ{}]/\\ux8\u0001\0',
    '\ud83d',
    '\u{1f600}',
    'İ',
    'ı',
    'ǅ',
    'Ǆ',
  )
  const atom = fc.oneof(
    fc.constantFrom(...'abAkKsſßéΣςµ.^$-_1{}]', '\u{1f600}', '\n', 'İ', 'ǆ'),
    fc.constantFrom(
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
      '\\n',
      '\\c',
      '\\cA',
      '\\0',
    ),
    fc.constantFrom('\\u0061', '\\x61', '\\u{2}', '\\ud83d', '\\7', '\\8', '\\k', '\\p', 'a{,2}', 'a{2'),
    fc.constantFrom(
      '[a-c]',
      '[^a]',
      '[^]',
      '[]',
      '[a-]',
      '[\\d-z]',
      '[\\b]',
      '[\\c]',
      '[\\c1]',
      '[^\\W]',
      '[A-z]',
      '[à-ɏ]',
    ),
    fc.constantFrom('[\u{1f600}]', '[^k-s]', '[\\]a]', '[\\1]'),
  )
  const quantifier = fc.constantFrom(
    '',
    '',
    '',
    '',
    '*',
    '+',
    '?',
    '{2}',
    '{0}',
    '{1,}',
    '{0,2}',
    '*?',
    '+?',
    '??',
    '{1,3}?',
  )
  const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
    term: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      { weight: 3, arbitrary: atom },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('(', '(?:'), tie('pattern'))
          .map(([open, inner]) => `${open}${inner})`),
      },
    ),
    pattern: fc
      .array(fc.tuple(tie('term'), quantifier, fc.constantFrom('', '', '', '', '', '|')), { maxLength: 4 })
      .map((terms) => terms.map(([term, times, bar]) => `${term}${times}${bar}`).join('')),
  }))

  function compiles(text: string): boolean {
    try {
      new RegExp(text, 'i')
      return true
    } catch {
      return false
    }
  }

  it('finds what JavaScript finds, in random patterns and texts', () => {
    // A digit may refer back to a group.
    const fair = pattern.filter((text) => compiles(text) && !(/\\[1-9]/.test(text) && text.includes('(')))
    const texts = fc.array(
      fc.array(char, { maxLength: 8 }).map((chars) => chars.join('')),
      { minLength: 4, maxLength: 8 },
    )
    fc.assert(
      fc.property(fair, texts, (text, samples) => {
        const matches = (sample: string) => isFoundBy(text, sample)
        const expression = new RegExp(text, 'i')
        for (const sample of samples) {
          expect(matches(sample), `${JSON.stringify(text)} in ${JSON.stringify(sample)}`).toBe(
            expression.test(sample),
          )
        }
      }),
      { numRuns: 1500 },
    )
  })

  it('finds it also when there are more places than it can remember', () => {
    const abs = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 20, maxLength: 60 })
    const [matches, expression] = [compileLike('a[ab]{14}c|b[^c]{12}$'), /a[ab]{14}c|b[^c]{12}$/i]
    fc.assert(
      fc.property(abs, (text) => {
        expect(matches(text)).toBe(expression.test(text))
      }),
      { numRuns: 3000 },
    )
  })
})

describe('a long text', () => {
  const literals = ['needle', `${'lo'.repeat(40)}ng`, 'C++']
  const others = ['ne+dle', '^x*needle', 'needle(?:x|y)*$', 'x[xn][ab]{14}!']

  it.each([...literals, ...others])('up to 65,536 characters is matched at once: %s', (pattern) => {
    for (const sample of ['needle', 'NEEEDLE', `${'lo'.repeat(40)}ng`, 'c++', 'nababababababab!', 'need']) {
      const text = 'x'.repeat(65_536 - sample.length) + sample
      const isFound = literals.includes(pattern)
        ? text.toLowerCase().includes(pattern.toLowerCase())
        : new RegExp(pattern, 'i').test(text)
      expect(isFoundBy(pattern, text)).toBe(isFound)
    }
  })

  it.each(literals)('is searched for a literal, however long it is: %s', (pattern) => {
    const text = 'x'.repeat(3_000_000)
    expect(isFoundBy(pattern, text)).toBe(false)
    expect(isFoundBy(pattern, text + pattern.toUpperCase())).toBe(true)
  })

  it.each(others)('beyond that is left to the thread: %s', (pattern) => {
    expect(() => isFoundBy(pattern, 'x'.repeat(65_537))).toThrow(LongText)
  })
})

describe('time', () => {
  let seed = 7
  function letters(count: number): string {
    let text = ''
    for (let index = 0; index < count; index += 1) {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
      text += (seed >> 16) & 1 ? 'a' : 'b'
    }
    return `${text}!`
  }
  const rows = Array.from({ length: 10_000 }, () => letters(30))
  const same = rows.map(() => `${'a'.repeat(30)}!`)
  const long = [letters(65_000), `${'a'.repeat(65_000)}!`]

  const patterns = [
    '(a+)+$',
    '(a|a)*b$',
    '(a|aa)+$',
    '(.*a){20}$',
    '(x+x+)+y',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(.*)*(.*)*(.*)*$',
    '[ab]*a[ab]{150}$',
    '(.{0,7}a){9}$',
    `${'a?'.repeat(60)}${'a'.repeat(30)}$`,
    '(a{1000}){1000}',
    '((a{1,50}){1,50}){1,50}$',
    '('.repeat(450) + ')*'.repeat(450),
    '[à-ɏ][Ā-ɐ]'.repeat(60),
    `${'a'.repeat(450)}b${'a'.repeat(450)}`,
    `${'a'.repeat(5_000)}b${'a'.repeat(5_000)}`,
    `${'(a|b)*'.repeat(2_000)}$`,
  ].map((pattern) => [pattern.slice(0, 30), pattern] as const)

  it.each(patterns)('%s takes little over 10,000 rows and over long texts', (_, pattern) => {
    const start = performance.now()
    const matches = compileLike(pattern)
    for (const texts of [rows, same, long]) for (const text of texts) matches(text)
    // Between 0.05 and 1 s on a quiet machine, against years.
    expect(performance.now() - start).toBeLessThan(8_000)
  })
})
