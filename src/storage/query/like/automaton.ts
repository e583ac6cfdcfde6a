import { type Alphabet, lettersIn, toAlphabet } from './alphabet.ts'
import { addBit, addUnion, type Bits, copyBits, intersects, isEmpty, keepCommon, noBits } from './bits.ts'
import { type CharSet, WORD } from './char-set.ts'
import { EDGE, type Follow, follow, OTHER_CHAR, type Side, WORD_CHAR } from './follow.ts'
import type { Graph } from './graph.ts'

/**
 * Searches for a pattern at all positions of a text simultaneously, without backtracking. The state of the search is
 * the set of all reading steps it may just have taken, and the side it comes from. Reading one letter takes
 * at most an eighth of the number of reading steps, squared, divided by four, whatever the pattern and the text.
 */
export class Automaton {
  readonly alphabet: Alphabet
  /** The initial state. The side is EDGE. */
  readonly start: Bits
  /** What each letter counts as for assertions next to it. */
  readonly sides: readonly Side[]
  readonly #graph: Graph
  readonly #reads: readonly number[]
  /** For each letter, the steps that read it. */
  readonly #readers: readonly Bits[]
  /** By the two sides of a position; most patterns need two or three of the nine. */
  readonly #follows: (Follow | undefined)[] = []
  /** Whether a match can begin anywhere but at the start of the text; computed on first use. */
  #canBegin: boolean | undefined

  constructor(graph: Graph) {
    const sets: CharSet[] = []
    const reads: number[] = []
    graph.steps.forEach((step, index) => {
      if (step.kind !== 'read') return
      sets.push(step.set)
      reads.push(index)
    })
    const hasChecks = graph.steps.some(({ kind }) => kind === 'check')
    this.#graph = graph
    this.#reads = reads
    this.start = noBits(reads.length)
    this.alphabet = toAlphabet(hasChecks ? [...sets, WORD] : sets)
    this.sides = lettersIn(WORD, this.alphabet).map((isWord) =>
      hasChecks && isWord ? WORD_CHAR : OTHER_CHAR,
    )
    this.#readers = this.sides.map(() => noBits(reads.length))
    sets.forEach((set, bit) => {
      lettersIn(set, this.alphabet).forEach((isIn, letter) => {
        const readers = this.#readers[letter]
        if (isIn && readers) addBit(readers, bit)
      })
    })
  }

  /** Reads a letter and writes the new state to `next`. False if the pattern matched before the letter. */
  read(steps: Bits, before: Side, letter: number, next: Bits): boolean {
    const found = this.#follow(before, this.sides[letter] ?? OTHER_CHAR)
    if (found.startEnds || intersects(steps, found.ends)) return false
    copyBits(found.startNext, next)
    addUnion(next, steps, found.next)
    keepCommon(next, this.#readers[letter] ?? next)
    return true
  }

  /** Whether the pattern matches if the text ends here. */
  endsAt(steps: Bits, before: Side): boolean {
    const { ends, startEnds } = this.#follow(before, EDGE)
    return startEnds || intersects(steps, ends)
  }

  /** Whether no further input can lead to a match: no step is active, and none can begin. */
  isLost(steps: Bits): boolean {
    if (!isEmpty(steps)) return false
    this.#canBegin ??= READ_SIDES.some((before) =>
      SIDES.some((after) => {
        const { startNext, startEnds } = this.#follow(before, after)
        return startEnds || !isEmpty(startNext)
      }),
    )
    return !this.#canBegin
  }

  #follow(before: Side, after: Side): Follow {
    const index = before * 3 + after
    const known = this.#follows[index]
    if (known) return known
    const made = follow(this.#graph, this.#reads, before, after)
    this.#follows[index] = made
    return made
  }
}

const READ_SIDES = [OTHER_CHAR, WORD_CHAR] as const
const SIDES = [...READ_SIDES, EDGE] as const
