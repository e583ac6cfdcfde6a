import { type BoundedPattern, compileBounded } from '../patterns/bounded-pattern.ts'
import { testInTime } from '../patterns/test-in-time.ts'

/** A pattern of a schema. No string can hold the server up: one that takes too long counts as no match. */
export class Pattern {
  readonly #expression: RegExp
  readonly #bounded: BoundedPattern

  /** Throws if it is not a regular expression. Patterns are written for either mode. */
  constructor(pattern: string) {
    this.#expression = compile(pattern)
    this.#bounded = compileBounded(pattern, this.#expression.unicode ? 'u' : '')
  }

  test(text: string): boolean {
    const { longest, test } = this.#bounded
    return text.length <= longest ? test(text) : testInTime(this.#expression, text)
  }

  /** By this, ajv tells patterns apart. */
  toString(): string {
    return this.#expression.toString()
  }
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern)
  }
}
