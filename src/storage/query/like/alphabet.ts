import { type CharSet, contains } from './char-set.ts'

/** Equivalence classes of code units: those that no set distinguishes are one letter. */
export interface Alphabet {
  readonly size: number
  readonly letterOf: Uint16Array
  /** A representative unit of each letter, to test against the sets. */
  readonly unitOf: readonly number[]
}

/** Splits all code units wherever a set begins or ends, and groups those that are in the same sets. */
export function toAlphabet(sets: readonly CharSet[]): Alphabet {
  const distinct = [...new Map(sets.map((set) => [set.join(), set])).values()]
  const cuts = new Set([0])
  for (const [low, high] of distinct.flat()) cuts.add(low).add(high + 1)
  cuts.delete(LENGTH)
  const starts = [...cuts].sort((a, b) => a - b)

  const letterOf = new Uint16Array(LENGTH)
  const unitOf: number[] = []
  toLetters(starts, distinct).forEach((letter, piece) => {
    const start = starts[piece] ?? 0
    letterOf.fill(letter, start, starts[piece + 1] ?? LENGTH)
    unitOf[letter] ??= start
  })
  return { size: unitOf.length, letterOf, unitOf }
}

/** For each letter, whether it is in the set. */
export function lettersIn(set: CharSet, { unitOf }: Alphabet): boolean[] {
  return unitOf.map((unit) => contains(set, unit))
}

const LENGTH = 0x10000

/** The letter of each piece. Each set in turn splits the letters that it contains only in part. */
function toLetters(starts: readonly number[], sets: readonly CharSet[]): number[] {
  let letters = starts.map(() => 0)
  for (const set of sets) {
    const numbers = new Map<number, number>()
    letters = letters.map((letter, piece) => {
      const key = letter * 2 + (contains(set, starts[piece] ?? 0) ? 1 : 0)
      const known = numbers.get(key) ?? numbers.size
      numbers.set(key, known)
      return known
    })
  }
  return letters
}
