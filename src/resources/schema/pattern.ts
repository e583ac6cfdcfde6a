import { type Context, createContext, Script } from 'node:vm'

/** Milliseconds that one string may take. Where more are needed, it takes years as a rule. */
const LIMIT = 100

/**
 * A pattern of a schema. No string can hold the server up: one that takes too long counts as no match.
 * `(a+)+$` takes twice as long for each further letter.
 */
export class Pattern {
  readonly #expression: RegExp
  /** Shorter strings cannot take long, and need not be watched over, which takes longer than most matches. */
  readonly #short: number

  /** Throws if it is not a regular expression. Patterns are written for either mode. */
  constructor(pattern: string) {
    this.#expression = compile(pattern)
    this.#short = shortFor(pattern)
  }

  test(text: string): boolean {
    return text.length <= this.#short ? this.#expression.test(text) : testInTime(this.#expression, text)
  }

  /** By this, ajv tells patterns apart. */
  toString(): string {
    return this.#expression.toString()
  }
}

/** A match that takes a million steps takes a few milliseconds. */
const FEW_STEPS = 1_000_000

/**
 * The length of a string that any match takes few steps for. Where groups repeat, steps may double with each letter; else
 * they are at most the length to the power of how many repeats there are. One more where a match may begin anywhere.
 */
function shortFor(pattern: string): number {
  const bare = pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gs, '')
  if (/\)(?:[*+]|\{)/.test(bare)) return Math.log2(FEW_STEPS)
  const repeats = bare.match(/[*+]|\{\d+,\d*\}/g)?.length ?? 0
  return FEW_STEPS ** (1 / (repeats + (/^\^[^|]*$/s.test(bare) ? 0 : 1)))
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern)
  }
}

/** V8 can interrupt a script, and a match in it. */
const script = new Script('expression.test(text)')
let context: Context | undefined

function testInTime(expression: RegExp, text: string): boolean {
  context ??= createContext({})
  try {
    Object.assign(context, { expression, text })
    return script.runInContext(context, { timeout: LIMIT }) === true
  } catch (error) {
    if (Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  } finally {
    Object.assign(context, { text: '' })
  }
}
