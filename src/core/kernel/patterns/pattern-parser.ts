import { type Chars, type Flags, foldUnit, POINTS, toChars, toRange, UNITS } from './re2.ts'

/** What to make of a pattern, part by part. */
export interface PatternBuilder<Part> {
  /** @param source one character, as a class in re2's language; or `\A`, `\z`, `\b`, `\B` */
  atom(source: string, written: string): Part
  sequence(parts: readonly Part[]): Part
  choice(options: readonly Part[]): Part
  group(inner: Part): Part
  /** @param quantifier `+`, `{2,3}?`; '' for what is there once */
  repeat(part: Part, quantifier: string, min: number, max: number): Part
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

/** Reads JavaScript's syntax, in patterns that are known to be valid. */
export class PatternParser<Part> {
  /** The first part that re2 lacks, or that is rare: `(?=`, `\1`, `\cA`, `\07`, `\p{L}`. */
  unsupported: string | undefined
  readonly #pattern: string
  readonly #flags: Flags
  readonly #builder: PatternBuilder<Part>
  #at = 0

  constructor(pattern: string, flags: Flags, builder: PatternBuilder<Part>) {
    this.#pattern = pattern
    this.#flags = flags
    this.#builder = builder
  }

  whole(): Part {
    const options = [this.#sequence()]
    while (this.#take(/\|/y)) options.push(this.#sequence())
    return this.#builder.choice(options)
  }

  #sequence(): Part {
    const parts: Part[] = []
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#pattern.charAt(this.#at))) {
      parts.push(this.#repeated(this.#atom()))
    }
    return this.#builder.sequence(parts)
  }

  #repeated(part: Part): Part {
    const [quantifier = '', sign, least = '1', comma, most] = this.#take(QUANTIFIER) ?? []
    const min = sign ? Number(sign === '+') : Number(least)
    const isOpen = sign ? sign !== '?' : comma && !most
    const max = isOpen ? Number.POSITIVE_INFINITY : Number(sign ? 1 : most || least)
    return this.#builder.repeat(part, quantifier, min, max)
  }

  #atom(): Part {
    const start = this.#at
    const [group] = this.#take(GROUP) ?? []
    if (group) return this.#group(group)
    const [reference] = this.#take(/\\[1-9k]/y) ?? []
    this.unsupported ??= reference
    return this.#builder.atom(reference ?? this.#character(), this.#pattern.slice(start, this.#at))
  }

  #character(): string {
    const [simple] = this.#take(SIMPLE) ?? []
    if (simple) return SIMPLE_ATOMS[simple] ?? ''
    const [open] = this.#take(/\[\^?/y) ?? []
    return open ? `${open}${this.#class()}]` : `[${this.#listed(this.#chars())}]`
  }

  #group(open: string): Part {
    if (/^\(\?(?:<?[=!]|[ims-])/.test(open)) this.unsupported ??= open
    const group = this.#builder.group(this.whole())
    this.#take(/\)/y)
    return group
  }

  #class(): string {
    let content = ''
    while (this.#at < this.#pattern.length && !this.#take(/\]/y)) {
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
    const [rare = ''] = this.#take(/\\./sy) ?? []
    this.unsupported ??= rare
    return rare
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
