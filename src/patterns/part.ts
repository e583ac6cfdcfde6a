export interface Part {
  readonly source: string
  /** Counted repeats are written out. */
  readonly steps: number
  /** In how many ways a backtracking engine may get through it, and what it does to try them all. */
  readonly ways: Growth
  readonly work: Growth
}

/** An upper bound: `factor`, times the length of the text to the power of `degree`. */
export interface Growth {
  readonly factor: number
  readonly degree: number
}

const ONE: Growth = { factor: 1, degree: 0 }
export const LENGTH: Growth = { factor: 1, degree: 1 }
const ENDLESS: Growth = { factor: 1, degree: Number.POSITIVE_INFINITY }

export const NOTHING: Part = { source: '', steps: 0, ways: ONE, work: ONE }

export function atom(source: string): Part {
  return { source, steps: 1, ways: ONE, work: ONE }
}

/** A backtracking engine does not enter lookaround a second time. */
export function lookaround(part: Part): Part {
  return { ...part, ways: ONE }
}

/** What a backreference refers to may be as long as the text. */
export function backreference(source: string): Part {
  return { ...atom(source), work: LENGTH }
}

export function sequence(first: Part, second: Part): Part {
  return {
    source: first.source + second.source,
    steps: first.steps + second.steps,
    ways: times(first.ways, second.ways),
    work: plus(first.work, times(first.ways, second.work)),
  }
}

export function choice(first: Part, second: Part): Part {
  return {
    source: `${first.source}|${second.source}`,
    steps: first.steps + 1 + second.steps,
    ways: plus(first.ways, second.ways),
    work: plus(first.work, second.work),
  }
}

export function repeat(part: Part, quantifier: string, min: number, max: number): Part {
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

export function times(first: Growth, second: Growth): Growth {
  return { factor: first.factor * second.factor, degree: first.degree + second.degree }
}

function plus(first: Growth, second: Growth): Growth {
  return { factor: first.factor + second.factor, degree: Math.max(first.degree, second.degree) }
}
