export const KEY_STYLES = ['camel', 'snake', 'kebab', 'pascal'] as const

export type KeyStyle = (typeof KEY_STYLES)[number]

const WRITTEN: Readonly<Record<KeyStyle, RegExp>> = {
  snake: /^_*[a-z][a-z\d]*(?:_[a-z\d]+)+$/,
  kebab: /^[a-z][a-z\d]*(?:-[a-z\d]+)+$/,
  camel: /^_*[a-z][a-z\d]*(?:[A-Z][A-Za-z\d]*)+$/,
  pascal: /^[A-Z][A-Za-z\d]*[a-z][A-Za-z\d]*$/,
}

/** The style of a name of several words; undefined for one word, and for what is no name: `en-US`, `2024`. */
export function styleOf(name: string): KeyStyle | undefined {
  return KEY_STYLES.find((style) => WRITTEN[style].test(name))
}

const ONE_WORD = /^[a-z][a-z\d]*$/

/** A name in another style. What is not written in any of them stays. */
export function inStyle(name: string, style: KeyStyle): string {
  const own = styleOf(name)
  if (own === style || (own === undefined && !(style === 'pascal' && ONE_WORD.test(name)))) return name
  const [, lead = '', rest = name] = /^(_*)(.*)$/.exec(name) ?? []
  const words = rest
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .split(/[_-]/)
    .map((word) => word.toLowerCase())
  return lead + JOINED[style](words)
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

const JOINED: Readonly<Record<KeyStyle, (words: readonly string[]) => string>> = {
  snake: (words) => words.join('_'),
  kebab: (words) => words.join('-'),
  camel: ([first = '', ...more]) => first + more.map(capital).join(''),
  pascal: (words) => words.map(capital).join(''),
}
