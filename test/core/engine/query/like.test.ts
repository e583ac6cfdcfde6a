import { describe, expect, it } from 'vitest'
import { compileLike } from '../../../../src/core/engine/query/like.ts'

function isFoundBy(pattern: string, text: string): boolean {
  return compileLike(pattern, 1)(text)
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
    ['\\u0041\\x42c', 'abc', true],
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
    ['^(?!draft)', 'has (?!, which is not supported'],
    ['(?<=dra)ft', 'has (?<=, which is not supported'],
    ['(.)\\1', 'has \\1, which is not supported'],
    ['(a+)+'.repeat(201), 'is longer than 1000 characters'],
    [`${'('.repeat(3000)}${')'.repeat(3000)}`, 'is longer than 1000 characters'],
    ['(a{99}){99}', 'takes more than 250 steps'],
  ])('refuses, whatever the data: %s', (pattern, reason) => {
    expect(() => compileLike(pattern, 1)).toThrow(
      expect.objectContaining({ code: 'INVALID_QUERY', message: expect.stringContaining(reason) }),
    )
  })

  it.each(['^JSON', 'json$', '^json$', `^${'js'.repeat(50)}`, `${'js'.repeat(50)}$`, `^${'js'.repeat(50)}$`])(
    'matches anchored text as JavaScript does: %s',
    (pattern) => {
      for (const text of [
        'json',
        'a json',
        'json!',
        'js'.repeat(50),
        'JS'.repeat(51),
        `a${'js'.repeat(50)}`,
        '',
      ])
        expect(isFoundBy(pattern, text)).toBe(new RegExp(pattern, 'i').test(text))
    },
  )

  it('matches long texts literally, whatever their case', () => {
    const long = `${'ab'.repeat(1000)}É`
    expect(isFoundBy(long, `abab${long.toUpperCase()}x`)).toBe(true)
    expect(isFoundBy(long, long.slice(0, -1))).toBe(false)
    expect(isFoundBy('aab'.repeat(40), 'aa'.repeat(100) + 'AAB'.repeat(40))).toBe(true)
  })
})

describe('a long text', () => {
  const literals = ['needle', `${'lo'.repeat(40)}ng`, 'C++']
  const others = ['ne+dle', '^x*needle', 'needle(?:x|y)*$', 'x[xn][ab]{14}!']

  it.each([...literals, ...others])('up to 4,096 characters is matched at once: %s', (pattern) => {
    for (const sample of ['needle', 'NEEEDLE', `${'lo'.repeat(40)}ng`, 'c++', 'nababababababab!', 'need']) {
      const text = 'x'.repeat(4096 - sample.length) + sample
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

  it.each(others)('that would take too long is refused: %s', (pattern) => {
    expect(() => isFoundBy(pattern, 'x'.repeat(1_100_000))).toThrow('takes too long for a value of 1100000')
  })

  it('may be shorter, the more patterns test it without a pause', () => {
    expect(compileLike('ne+dle', 1)('x'.repeat(50_000))).toBe(false)
    expect(() => compileLike('ne+dle', 50)('x'.repeat(50_000))).toThrow('takes too long')
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
  const rows = Array.from({ length: 4_000 }, () => letters(30))
  const same = rows.map(() => `${'a'.repeat(30)}!`)
  const long = [1_000, 10_000, 65_000].flatMap((count) => [letters(count), `${'a'.repeat(count)}!`])

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

  it.each(patterns)('%s takes little over 8,000 rows and over long texts', (_, pattern) => {
    const start = performance.now()
    ifNotRefused(() => {
      const matches = compileLike(pattern, 1)
      for (const text of [rows, same, long].flat()) ifNotRefused(() => matches(text))
    })
    // Between 0.05 and 1 s on a quiet machine, against years.
    expect(performance.now() - start).toBeLessThan(8_000)
  })
})

function ifNotRefused(match: () => void): void {
  try {
    match()
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_QUERY' })
  }
}
