/** The pattern needs more than an automaton can do. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported'
}

/** A position in a pattern that advances as it is read. */
export class Cursor {
  /** A backreference counts only if there is such a group; otherwise `\1` is the character U+0001. */
  readonly groupCount: number
  readonly hasNamedGroups: boolean
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
    const bare = text.replace(/\\.|\[(?:\\.|[^\]\\])*\]?/gs, '')
    this.hasNamedGroups = /\(\?<[^=!]/.test(bare)
    this.groupCount = bare.match(/\((?!\?)|\(\?<[^=!]/g)?.length ?? 0
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  sees(text: string): boolean {
    return this.#text.startsWith(text, this.#at)
  }

  /** Whether the text comes next; if so, consumes it. */
  take(text: string): boolean {
    if (!this.sees(text)) return false
    this.#at += text.length
    return true
  }

  /** Consumes what the expression (flag `y`) matches here. */
  match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#text)
    if (found) this.#at += found[0].length
    return found
  }

  /** What the expression (flag `y`) would match here. */
  peek(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at
    return expression.exec(this.#text)?.[0]
  }

  /** Reads one code unit. */
  next(): number {
    const unit = this.#text.charCodeAt(this.#at)
    this.#at += 1
    return unit
  }
}
