/** A part of a pattern in re2's language, and what it takes to match it. */
export interface Re2Part {
  readonly source: string
  /** Counted repeats are written out. */
  readonly steps: number
  /** How many ways a backtracking engine may try: this, times the length of the text to the power of `degree`. */
  readonly paths: number
  readonly degree: number
}

export const NOTHING: Re2Part = { source: '', steps: 0, paths: 1, degree: 0 }

export function sequence(first: Re2Part, second: Re2Part): Re2Part {
  return {
    source: first.source + second.source,
    steps: first.steps + second.steps,
    paths: first.paths * second.paths,
    degree: first.degree + second.degree,
  }
}

export function choice(first: Re2Part, second: Re2Part): Re2Part {
  return {
    source: `${first.source}|${second.source}`,
    steps: first.steps + 1 + second.steps,
    paths: first.paths + second.paths,
    degree: Math.max(first.degree, second.degree),
  }
}

/** @param max may be infinite */
export function repeat(part: Re2Part, quantifier: string, min: number, max: number): Re2Part {
  const source = part.source + quantifier
  if (max < Number.POSITIVE_INFINITY) {
    const paths = part.paths ** max * (max - min + 1)
    return { source, steps: 1 + part.steps * max, paths, degree: max && part.degree * max }
  }
  const isPlain = part.paths === 1 && part.degree === 0
  const degree = isPlain ? 1 : Number.POSITIVE_INFINITY
  return { source, steps: 1 + part.steps * Math.max(min, 1), paths: 1, degree }
}
