import { Pace } from '../work/pace.ts'
import { parseFinite } from './finite.ts'
import { endOfString } from './json-depth.ts'
import { isBlank, PiecedTogether } from './pieced-together.ts'

export interface JsonBounds {
  readonly depth: number
  readonly keys: number
  /** Total number of values inside the outermost one. An empty array or object counts as two. */
  readonly values: number
  /** Sum of the depths of all values: each level is an indent when the value is serialized. */
  readonly indents: number
}

export class JsonBoundError extends Error {
  override readonly name = 'JsonBoundError'
  readonly bound: keyof JsonBounds

  constructor(bound: keyof JsonBounds) {
    super(`Too many ${bound}`)
    this.bound = bound
  }
}

/** Characters parsed per piece: few enough that even the worst take only a few milliseconds. */
const PIECE = 32 * 1024

/**
 * `JSON.parse` that pauses between pieces, with null for numbers that overflow. Rejects with a SyntaxError without a
 * position, or a JsonBoundError.
 */
export async function parseInPieces(text: string, bounds: JsonBounds): Promise<unknown> {
  const reader = new Reader(text, bounds)
  const pace = new Pace()
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COMMA) {
      if (reader.comma(at) && pace.isDue) await pace.turn()
    } else if ((code | BRACE_BIT) === OPEN) reader.open(at, code !== OPEN)
    else if ((code | BRACE_BIT) === CLOSE) reader.close(at, code !== CLOSE)
  }
  return reader.end()
}

const QUOTE = 0x22
const COMMA = 0x2c
/** `{` or `[`, and `}` or `]`, once the bit that tells them apart is set. */
const BRACE_BIT = 0x20
const OPEN = 0x7b
const CLOSE = 0x7d

/** An array or object that is open at the current position. */
class Level {
  isList = false
  /** Position of its bracket, and of its own last comma. */
  start = 0
  comma = 0
  commas = 0
  whole: PiecedTogether | undefined
}

class Reader {
  readonly #text: string
  readonly #bounds: JsonBounds
  /** By depth, and reused: there may be millions of brackets. */
  readonly #levels: Level[] = []
  #depth = 0
  /** Number of outer levels that are split. */
  #apart = 0
  #values = 0
  #indents = 0
  #root: PiecedTogether | undefined

  constructor(text: string, bounds: JsonBounds) {
    this.#text = text
    this.#bounds = bounds
  }

  open(at: number, isList: boolean): void {
    if (this.#root?.isDone) throw new SyntaxError()
    this.#depth++
    if (this.#depth > this.#bounds.depth) throw new JsonBoundError('depth')
    this.#count()
    let level = this.#levels[this.#depth - 1]
    if (level === undefined) {
      level = new Level()
      this.#levels.push(level)
    }
    level.isList = isList
    level.start = at
    level.comma = at
    level.commas = 0
    level.whole = undefined
    if (this.#depth > 1) return
    this.#root = new PiecedTogether(this.#text, isList, at + 1)
    if (!isBlank(this.#text.slice(0, at))) throw new SyntaxError()
    level.whole = this.#root
    this.#apart = 1
  }

  /** Returns whether a piece was parsed. */
  comma(at: number): boolean {
    const level = this.#levels[this.#depth - 1]
    if (level === undefined || this.#depth === 0) throw new SyntaxError()
    level.comma = at
    level.commas++
    if (!level.isList && level.commas >= this.#bounds.keys) throw new JsonBoundError('keys')
    this.#count()
    level.whole?.passComma(at)
    const last = this.#levels[this.#apart - 1]?.whole
    if (last === undefined || at - last.end < PIECE) return false
    this.#readUpTo(at)
    return true
  }

  close(at: number, isList: boolean): void {
    const level = this.#levels[this.#depth - 1]
    if (level === undefined || this.#depth === 0 || level.isList !== isList) throw new SyntaxError()
    this.#depth--
    if (level.whole === undefined) return
    level.whole.finish(at)
    this.#apart--
    this.#levels[this.#depth - 1]?.whole?.addChild(level.start, level.whole, at + 1)
  }

  end(): unknown {
    // A scalar: nothing to split.
    if (this.#root === undefined) return parseFinite(this.#text)
    if (!this.#root.isDone || !isBlank(this.#text.slice(this.#root.end))) throw new SyntaxError()
    return this.#root.value
  }

  /** Parses the complete members of the innermost split level; if that is too little, splits the next level. */
  #readUpTo(at: number): void {
    for (;;) {
      const level = this.#levels[this.#apart - 1]
      const whole = level?.whole
      if (level === undefined || whole === undefined) return
      if (level.comma >= whole.end) whole.addMembers(level.comma)
      const inner = this.#levels[this.#apart]
      if (at - whole.end < PIECE || inner === undefined || this.#apart === this.#depth) return
      inner.whole = new PiecedTogether(this.#text, inner.isList, inner.start + 1)
      this.#apart++
    }
  }

  #count(): void {
    this.#values++
    this.#indents += this.#depth
    if (this.#values > this.#bounds.values) throw new JsonBoundError('values')
    if (this.#indents > this.#bounds.indents) throw new JsonBoundError('indents')
  }
}
