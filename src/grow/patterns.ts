import type { Maker } from './maker.ts'

/** More of what may be repeated without end makes texts long, and nothing else. */
const MOST_REPEATED = 8

/** Repetitions within repetitions multiply. */
const LONGEST = 10_000

const CHARACTERS = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))
const CLASSES: Readonly<Record<string, RegExp>> = { d: /\d/, w: /\w/, s: / / }

/** Texts that match a regular expression; undefined if it has what is not known here, such as lookarounds. */
export function patternMaker(pattern: string): Maker<string> | undefined {
  try {
    const parser = new Parser(pattern)
    const make = parser.alternatives()
    return parser.isAtEnd ? make : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

class Parser {
  readonly #pattern: readonly string[]
  #at = 0

  constructor(pattern: string) {
    this.#pattern = [...pattern]
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#pattern.length
  }

  alternatives(): Maker<string> {
    const options = [this.#sequence()]
    while (this.#skip('|')) options.push(this.#sequence())
    return (random) => random.pick(options)(random)
  }

  #sequence(): Maker<string> {
    const parts: Maker<string>[] = []
    while (!this.isAtEnd && this.#next !== '|' && this.#next !== ')') parts.push(this.#repeated())
    return (random) => parts.map((make) => make(random)).join('')
  }

  #repeated(): Maker<string> {
    const make = this.#atom()
    const [least, most] = this.#bounds()
    // Lazy or not, the texts are the same.
    this.#skip('?')
    return (random) => {
      let text = ''
      for (let left = least + random.below(most - least + 1); left > 0 && text.length < LONGEST; left--)
        text += make(random)
      return text
    }
  }

  #bounds(): readonly [number, number] {
    if (this.#skip('?')) return [0, 1]
    if (this.#skip('*')) return [0, MOST_REPEATED]
    if (this.#skip('+')) return [1, MOST_REPEATED]
    const rest = this.#pattern.slice(this.#at, this.#at + 20).join('')
    const [text, low, comma, high] = /^\{(\d+)(,?)(\d*)\}/.exec(rest) ?? []
    if (text === undefined) return [1, 1]
    this.#at += text.length
    const least = Number(low)
    if (least > 1000) throw new RangeError(text)
    if (comma === '') return [least, least]
    return [least, high === '' ? least + MOST_REPEATED : Math.min(Number(high), least + 100)]
  }

  #atom(): Maker<string> {
    const character = this.#take()
    if (character === '^' || character === '$') return () => ''
    if (character === '.') return anyOf(CHARACTERS.filter((each) => /\w/.test(each)))
    if (character === '[') return anyOf(this.#set())
    if (character === '\\') return anyOf(this.#escaped())
    if (character !== '(') return () => character
    if (this.#skip('?') && !this.#skip(':')) throw new RangeError('a group of a kind that is not known')
    const make = this.alternatives()
    if (!this.#skip(')')) throw new RangeError('a group without an end')
    return make
  }

  /** What an escape stands for. */
  #escaped(): readonly string[] {
    const letter = this.#take()
    const known = CLASSES[letter.toLowerCase()]
    if (known) return CHARACTERS.filter((each) => known.test(each) === (letter === letter.toLowerCase()))
    if (/[a-zA-Z\d]/.test(letter)) throw new RangeError(`\\${letter}`)
    return [letter]
  }

  #set(): readonly string[] {
    const isNegated = this.#skip('^')
    const members = new Set<string>()
    while (!this.#skip(']')) {
      const first = this.#take()
      const start = first === '\\' ? this.#escaped() : [first]
      const isRange = this.#next === '-' && this.#pattern[this.#at + 1] !== ']'
      if (!isRange) for (const each of start) members.add(each)
      else {
        this.#take()
        const [low = ''] = start
        const high = this.#take()
        for (let code = low.charCodeAt(0); code <= high.charCodeAt(0); code++)
          members.add(String.fromCharCode(code))
      }
    }
    return isNegated ? CHARACTERS.filter((each) => !members.has(each)) : [...members]
  }

  get #next(): string | undefined {
    return this.#pattern[this.#at]
  }

  #take(): string {
    const next = this.#pattern[this.#at++]
    if (next === undefined) throw new RangeError('the end')
    return next
  }

  #skip(character: string): boolean {
    if (this.#next !== character) return false
    this.#at++
    return true
  }
}

function anyOf(characters: readonly string[]): Maker<string> {
  return (random) => random.pick(characters) ?? ''
}
