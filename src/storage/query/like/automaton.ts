import { type Alphabet, lettersIn, toAlphabet } from './alphabet.ts'
import { addBit, addUnion, type Bits, copyBits, intersects, isEmpty, keepCommon, noBits } from './bits.ts'
import { type CharSet, WORD } from './char-set.ts'
import { EDGE, type Follow, follow, OTHER_CHAR, type Side, WORD_CHAR } from './follow.ts'
import type { Graph } from './graph.ts'

/**
 * A pattern being looked for everywhere in a text at once, without ever going back. Where the search stands is
 * the set of all reading steps it may just have taken, and the side it comes from. To go on by one letter takes
 * at most an eighth of the number of reading steps, squared, divided by four: whatever the pattern and the text.
 */
export class Automaton {
  readonly alphabet: Alphabet
  /** Before anything is read. The side is EDGE. */
  readonly start: Bits
  /** What each letter is to its neighbours. */
  readonly sides: readonly Side[]
  readonly #graph: Graph
  readonly #reads: readonly number[]
  /** For each letter, the steps that read it. */
  readonly #readers: readonly Bits[]
  /** By the two sides of a place; most patterns need two or three of the nine. */
  readonly #follows: (Follow | undefined)[] = []
  /** Whether a match can begin elsewhere than at the start of the text; found out when first asked. */
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

  /** Reads a letter and puts into `next` where that leads. False when the pattern was found before the letter. */
  read(steps: Bits, before: Side, letter: number, next: Bits): boolean {
    const found = this.#follow(before, this.sides[letter] ?? OTHER_CHAR)
    if (found.startEnds || intersects(steps, found.ends)) return false
    copyBits(found.startNext, next)
    addUnion(next, steps, found.next)
    keepCommon(next, this.#readers[letter] ?? next)
    return true
  }

  /** Whether the pattern is found when the text ends here. */
  endsAt(steps: Bits, before: Side): boolean {
    const { ends, startEnds } = this.#follow(before, EDGE)
    return startEnds || intersects(steps, ends)
  }

  /** Whether nothing that may still come can lead to a match: no step is under way, and none can begin. */
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
