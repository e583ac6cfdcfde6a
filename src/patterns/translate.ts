import { type PatternBuilder, PatternParser } from './pattern-parser.ts'
import type { Flags } from './re2.ts'

export interface Translated extends Part {
  readonly isForRe2: boolean
}

/** Translates into re2's language: with the flag `i` for texts after `foldText`, without `u` for those after `splitPairs`. */
export function translate(pattern: string, flags: Flags): Translated {
  const parser = new PatternParser(pattern, flags, BUILDER)
  const whole = parser.whole()
  const isAnchored = /^\^[^|]*$/.test(pattern)
  // Else it may begin at each character.
  const work = isAnchored ? whole.work : times(LENGTH, whole.work)
  return { ...whole, work, isForRe2: parser.isForRe2 }
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

const BUILDER: PatternBuilder<Part> = {
  atom,
  sequence: (parts) => parts.reduce(sequence, NOTHING),
  choice: (options) => options.reduce(choice),
  group: (inner) => ({ ...inner, source: `(?:${inner.source})`, steps: inner.steps + 1 }),
  repeat: (part, quantifier, min, max) => (quantifier === '' ? part : repeat(part, quantifier, min, max)),
  // A backtracking engine does not enter lookaround a second time.
  lookaround: (group) => ({ ...group, ways: ONE }),
  // What a backreference refers to may be as long as the text.
  backreference: (source) => ({ ...atom(source), work: LENGTH }),
}

function atom(source: string): Part {
  return { source, steps: 1, ways: ONE, work: ONE }
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
