import { type Chars, type Flags, foldUnit, POINTS, toChars, toRange, UNITS } from './re2.ts'

export interface Translated extends Part {
  /** Whether re2 can match it. Not if it has something that re2 lacks, or that is rare (`\cA`, `\07`, `\p{L}`). */
  readonly isForRe2: boolean
}

/** Translates into re2's language: with the flag `i` for texts after `foldText`, without `u` for those after `splitPairs`. */
export function translate(pattern: string, flags: Flags): Translated {
  const translator = new Translator(pattern, flags)
  const whole = translator.choice()
  const isAnchored = /^\^[^|]*$/.test(pattern)
  // Else it may begin at each character.
  const work = isAnchored ? whole.work : times(LENGTH, whole.work)
  return { ...whole, work, isForRe2: translator.isForRe2 }
}

const GROUP = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[ims-]+:))?/y
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
  isForRe2 = true
  readonly #pattern: string
  readonly #flags: Flags
  #at = 0

  constructor(pattern: string, flags: Flags) {
    this.#pattern = pattern
    this.#flags = flags
  }

  choice(): Part {
    let whole = this.#sequence()
    while (this.#take(/\|/y)) whole = choice(whole, this.#sequence())
    return whole
  }

  #sequence(): Part {
    let whole = NOTHING
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#pattern.charAt(this.#at))) {
      whole = sequence(whole, this.#repeated(this.#atom()))
    }
    return whole
  }

  #repeated(part: Part): Part {
    const [quantifier, sign, least, comma, most] = this.#take(QUANTIFIER) ?? []
    if (quantifier === undefined) return part
    const min = sign ? Number(sign === '+') : Number(least)
    const isOpen = sign ? sign !== '?' : comma && !most
    const max = isOpen ? Number.POSITIVE_INFINITY : Number(sign ? 1 : most || least)
    return repeat(part, quantifier, min, max)
  }

  #atom(): Part {
    const [group] = this.#take(GROUP) ?? []
    if (group) return this.#group(group)
    const [simple] = this.#take(SIMPLE) ?? []
    if (simple) return atom(SIMPLE_ATOMS[simple] ?? '')
    const [open] = this.#take(/\[\^?/y) ?? []
    if (open) return atom(`${open}${this.#class()}]`)
    const [reference] = this.#take(/\\[1-9k]/y) ?? []
    if (!reference) return atom(`[${this.#listed(this.#chars())}]`)
    this.isForRe2 = false
    return backreference(reference)
  }

  #group(open: string): Part {
    const isLookaround = /^\(\?<?[=!]/.test(open)
    const isPlain = !isLookaround && !/^\(\?[ims-]/.test(open)
    if (!isPlain) this.isForRe2 = false
    const inner = this.choice()
    this.#take(/\)/y)
    const part = { ...inner, source: `(?:${inner.source})`, steps: inner.steps + 1 }
    return isLookaround ? lookaround(part) : part
  }

  #class(): string {
    let content = ''
    while (!this.#take(/\]/y)) {
      const from = this.#chars()
      const to = this.#take(/-(?!\])/y) && this.#chars()
      if (to === undefined) content += this.#listed(from)
      else if (typeof from === 'number' && typeof to === 'number') content += toRange(from, to, this.#flags)
      // `[\d-z]` is not a range: the hyphen is literal.
      else content += `${this.#listed(from)}\\-${this.#listed(to)}`
    }
    return content
  }

  #chars(): Chars {
    const found = this.#take(this.#flags === 'u' ? POINTS : UNITS)
    const chars = found && toChars(found, this.#flags)
    if (chars !== undefined) return chars
    this.isForRe2 = false
    return this.#take(/\\./sy)?.[0] ?? ''
  }

  #listed(chars: Chars): string {
    if (typeof chars === 'string') return chars
    const one = this.#flags === 'i' ? foldUnit(chars) : chars
    return toRange(one, one, this.#flags)
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#pattern) ?? undefined
    this.#at += found?.[0].length ?? 0
    return found
  }
}

interface Part {
  readonly source: string
  /** Counted repeats are written out. */
  readonly steps: number
  /** In how many ways a backtracking engine may get through it, and what it does to try them all. */
  readonly ways: Growth
  readonly work: Growth
}

/** An upper bound: `factor`, times the length of the text to the power of `degree`. */
interface Growth {
  readonly factor: number
  readonly degree: number
}

const ONE: Growth = { factor: 1, degree: 0 }
const LENGTH: Growth = { factor: 1, degree: 1 }
const ENDLESS: Growth = { factor: 1, degree: Number.POSITIVE_INFINITY }

const NOTHING: Part = { source: '', steps: 0, ways: ONE, work: ONE }

function atom(source: string): Part {
  return { source, steps: 1, ways: ONE, work: ONE }
}

/** A backtracking engine does not enter lookaround a second time. */
function lookaround(part: Part): Part {
  return { ...part, ways: ONE }
}

/** What a backreference refers to may be as long as the text. */
function backreference(source: string): Part {
  return { ...atom(source), work: LENGTH }
}

function sequence(first: Part, second: Part): Part {
  return {
    source: first.source + second.source,
    steps: first.steps + second.steps,
    ways: times(first.ways, second.ways),
    work: plus(first.work, times(first.ways, second.work)),
  }
}

function choice(first: Part, second: Part): Part {
  return {
    source: `${first.source}|${second.source}`,
    steps: first.steps + 1 + second.steps,
    ways: plus(first.ways, second.ways),
    work: plus(first.work, second.work),
  }
}

function repeat(part: Part, quantifier: string, min: number, max: number): Part {
  const source = part.source + quantifier
  if (max === 0) return atom(source)
  if (max === Number.POSITIVE_INFINITY) {
    const isPlain = part.ways.degree === 0 && part.ways.factor === 1
    const ways = isPlain ? LENGTH : ENDLESS
    return { source, steps: 1 + part.steps * Math.max(min, 1), ways, work: times(ways, part.work) }
  }
  const each = { factor: part.ways.factor ** max, degree: part.ways.degree * max }
  const ways = times(each, { factor: max - min + 1, degree: 0 })
  const work = times(each, times(part.work, { factor: max, degree: 0 }))
  return { source, steps: 1 + part.steps * max, ways, work }
}

function times(first: Growth, second: Growth): Growth {
  return { factor: first.factor * second.factor, degree: first.degree + second.degree }
}

function plus(first: Growth, second: Growth): Growth {
  return { factor: first.factor + second.factor, degree: Math.max(first.degree, second.degree) }
}
