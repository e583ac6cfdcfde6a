import { foldUnit } from './letter-case.ts'
import { type Chars, type Flags, POINTS, toChars, toRange, UNITS } from './re2-chars.ts'
import { choice, NOTHING, type Re2Part, repeat, sequence } from './re2-part.ts'

/**
 * Translates a valid JavaScript regular expression into re2's language. With the flag `i` it is for texts after
 * `foldText`, and without `u` for those after `splitPairs`. Undefined if it has something that re2 lacks (lookaround,
 * backreferences) or that hardly anybody writes (`\cA`, `\07`), or more than `most` steps.
 */
export function toRe2(pattern: string, flags: Flags, most: number): Re2Part | undefined {
  try {
    const whole = new Translator(pattern, flags, most).choice()
    // What is not anchored may begin at each character.
    return /^\^[^|]*$/.test(pattern) ? whole : { ...whole, degree: whole.degree + 1 }
  } catch (error) {
    if (error instanceof Untranslatable) return undefined
    throw error
  }
}

class Untranslatable extends Error {}

const GROUP = /\((?:\?:|\?<[^=!][^>]*>|(?!\?))/y
const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y
const SIMPLE = /[\^$.]|\\[bB]|\[\^?\]/y

const SIMPLE_ATOMS: Readonly<Record<string, string>> = {
  '^': String.raw`\A`,
  $: String.raw`\z`,
  '.': String.raw`[^\n\r\x{2028}\x{2029}]`,
  '\\b': String.raw`\b`,
  '\\B': String.raw`\B`,
  '[]': String.raw`[^\x{0}-\x{10ffff}]`,
  '[^]': String.raw`[\x{0}-\x{10ffff}]`,
}

class Translator {
  readonly #pattern: string
  readonly #flags: Flags
  readonly #most: number
  #at = 0

  constructor(pattern: string, flags: Flags, most: number) {
    this.#pattern = pattern
    this.#flags = flags
    this.#most = most
  }

  choice(): Re2Part {
    let whole = this.#sequence()
    while (this.#take(/\|/y)) whole = this.#check(choice(whole, this.#sequence()))
    return whole
  }

  #sequence(): Re2Part {
    let whole = NOTHING
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#pattern.charAt(this.#at))) {
      whole = this.#check(sequence(whole, this.#repeated(this.#atom())))
    }
    return whole
  }

  #repeated(part: Re2Part): Re2Part {
    const [quantifier, sign, least, comma, most] = this.#take(QUANTIFIER) ?? []
    if (quantifier === undefined) return part
    const min = sign ? Number(sign === '+') : Number(least)
    const isOpen = sign ? sign !== '?' : comma && !most
    const max = isOpen ? Number.POSITIVE_INFINITY : Number(sign ? 1 : most || least)
    return repeat(part, quantifier, min, max)
  }

  #atom(): Re2Part {
    if (this.#take(GROUP)) {
      const inner = this.choice()
      this.#take(/\)/y)
      return { ...inner, source: `(?:${inner.source})`, steps: inner.steps + 1 }
    }
    const [simple] = this.#take(SIMPLE) ?? []
    return { ...NOTHING, source: (simple && SIMPLE_ATOMS[simple]) ?? this.#charOrClass(), steps: 1 }
  }

  #charOrClass(): string {
    // A group that is none of those: lookaround, or flags.
    if (this.#take(/\(/y)) throw new Untranslatable()
    const [open] = this.#take(/\[\^?/y) ?? []
    if (!open) return `[${this.#listed(this.#chars())}]`
    let content = ''
    while (!this.#take(/\]/y)) {
      const from = this.#chars()
      const to = this.#take(/-(?!\])/y) && this.#chars()
      if (to === undefined) content += this.#listed(from)
      else if (typeof from === 'number' && typeof to === 'number') content += toRange(from, to, this.#flags)
      // `[\d-z]` is not a range: the hyphen is literal.
      else content += `${this.#listed(from)}\\-${this.#listed(to)}`
    }
    return `${open}${content}]`
  }

  #chars(): Chars {
    const found = this.#take(this.#flags === 'u' ? POINTS : UNITS)
    const chars = found && toChars(found, this.#flags)
    if (chars === undefined) throw new Untranslatable()
    return chars
  }

  /** As it stands in a class. */
  #listed(chars: Chars): string {
    if (typeof chars === 'string') return chars
    const one = this.#flags === 'i' ? foldUnit(chars) : chars
    return toRange(one, one, this.#flags)
  }

  /** Consumes what the expression (flag `y`) matches here. */
  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#pattern) ?? undefined
    this.#at += found?.[0].length ?? 0
    return found
  }

  #check(part: Re2Part): Re2Part {
    if (part.steps > this.#most) throw new Untranslatable()
    return part
  }
}
