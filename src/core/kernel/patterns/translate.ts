import { type PatternBuilder, PatternParser } from './pattern-parser.ts'

/** A case-insensitive pattern of JavaScript in re2's language, as `compileRe2` takes it. */
export interface Translated {
  readonly source: string
  /** Instructions that it compiles to, roughly: counted repeats are written out. */
  readonly steps: number
  /** The first part that re2 cannot match, if any. */
  readonly unsupported: string | undefined
}

export function translate(pattern: string): Translated {
  const parser = new PatternParser(pattern, 'i', BUILDER)
  const { source, steps } = parser.whole()
  return { source, steps, unsupported: parser.unsupported }
}

type Part = Pick<Translated, 'source' | 'steps'>

const BUILDER: PatternBuilder<Part> = {
  atom: (source) => ({ source, steps: 1 }),
  sequence: (parts) => join(parts, ''),
  choice(options) {
    const { source, steps } = join(options, '|')
    return { source, steps: steps + options.length - 1 }
  },
  group: ({ source, steps }) => ({ source: `(?:${source})`, steps: steps + 1 }),
  repeat({ source, steps }, quantifier, min, max) {
    const count = Number.isFinite(max) ? max : Math.max(min, 1)
    return { source: source + quantifier, steps: steps * count + 1 }
  },
}

function join(parts: readonly Part[], separator: string): Part {
  return {
    source: parts.map(({ source }) => source).join(separator),
    steps: parts.reduce((sum, { steps }) => sum + steps, 0),
  }
}
