import { Automaton } from './automaton.ts'
import type { Bits } from './bits.ts'
import { EDGE, OTHER_CHAR, type Side } from './follow.ts'
import type { Graph } from './graph.ts'

/** Tells whether a text contains the pattern, in time linear in the text. */
export function compileMatcher(graph: Graph): (text: string) => boolean {
  return new Matcher(graph).matches
}

/** The state of a search. */
interface Place {
  readonly steps: Bits
  readonly before: Side
}

/** The number of a cached state, FOUND or LOST; else the state itself. */
type Standing = number | Place

const UNKNOWN = 0
const FOUND = -1
const LOST = -2
const FULL = -3

/** Bounds the cache of a pattern: about a quarter of a megabyte, and half of one for the states. */
const MOST_ENTRIES = 0x10000
const MOST_PLACES = 1000

/**
 * A lazily built DFA: caches states and their transitions, so that most letters cost one lookup in a
 * table. When the cache is full, the automaton itself continues from there.
 */
class Matcher {
  readonly #automaton: Automaton
  readonly #letters: number
  readonly #places: Place[] = []
  readonly #numbers = new Map<string, number>()
  /** By state and letter: the outcome, or the number of the next state plus one. */
  #table: Int32Array

  constructor(graph: Graph) {
    this.#automaton = new Automaton(graph)
    this.#letters = this.#automaton.alphabet.size
    this.#table = new Int32Array(this.#letters * 16)
    this.#numberOf({ steps: this.#automaton.start, before: EDGE })
  }

  readonly matches = (text: string): boolean => this.#isFound(this.#read(text, 0, text.length, 0))

  /** The state after reading a part of the text. */
  #read(text: string, start: number, end: number, from: Standing): Standing {
    if (typeof from !== 'number') return this.#readSlowly(text, start, end, from)
    const { letterOf } = this.#automaton.alphabet
    const letters = this.#letters
    let table = this.#table
    let current = from
    for (let at = start; at < end; at += 1) {
      const letter = letterOf[text.charCodeAt(at)] ?? 0
      let next = table[current * letters + letter] ?? UNKNOWN
      if (next === UNKNOWN) {
        next = this.#learn(current, letter)
        table = this.#table
      }
      if (next > 0) current = next - 1
      else return next === FULL ? this.#readSlowly(text, at, end, this.#place(current)) : next
    }
    return current
  }

  #isFound(at: Standing): boolean {
    if (at === FOUND || at === LOST) return at === FOUND
    const { steps, before } = typeof at === 'number' ? this.#place(at) : at
    return this.#automaton.endsAt(steps, before)
  }

  #learn(from: number, letter: number): number {
    if (this.#isFull) return FULL
    const { steps, before } = this.#place(from)
    const next = { steps: this.#automaton.start.slice(), before: this.#sideOf(letter) }
    let result = FOUND
    if (this.#automaton.read(steps, before, letter, next.steps)) {
      result = this.#automaton.isLost(next.steps) ? LOST : this.#numberOf(next)
    }
    this.#table[from * this.#letters + letter] = result
    return result
  }

  get #isFull(): boolean {
    return this.#places.length >= MOST_PLACES || this.#places.length * this.#letters >= MOST_ENTRIES
  }

  /** The number of a state plus one. */
  #numberOf(place: Place): number {
    const key = `${place.before}:${place.steps.join()}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const entries = this.#places.length * this.#letters
    if (entries === this.#table.length) {
      const larger = new Int32Array(entries * 2)
      larger.set(this.#table)
      this.#table = larger
    }
    const number = this.#places.push(place)
    this.#numbers.set(key, number)
    return number
  }

  #readSlowly(text: string, start: number, end: number, from: Place): Standing {
    const { letterOf } = this.#automaton.alphabet
    let { steps, before } = from
    let next: Bits = steps.slice()
    let spare: Bits = steps.slice()
    for (let at = start; at < end; at += 1) {
      const letter = letterOf[text.charCodeAt(at)] ?? 0
      if (!this.#automaton.read(steps, before, letter, next)) return FOUND
      steps = next
      next = spare
      spare = steps
      before = this.#sideOf(letter)
    }
    return { steps, before }
  }

  #place(number: number): Place {
    return this.#places[number] ?? { steps: this.#automaton.start, before: EDGE }
  }

  #sideOf(letter: number): Side {
    return this.#automaton.sides[letter] ?? OTHER_CHAR
  }
}
