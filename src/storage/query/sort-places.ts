import { STRETCH, type Work } from '../../work/in-slices.ts'

/** Sorts the numbers below `count`: native sorts of short runs, then merges. */
export function* sortPlaces(
  count: number,
  compare: (a: number, b: number) => number,
  run: number,
): Work<ArrayLike<number>> {
  let [sorted, spare] = [new Uint32Array(count), new Uint32Array(count)]
  for (let start = 0; start < count; start += run) {
    if (start > 0) yield
    const places = Array.from({ length: Math.min(run, count - start) }, (_, at) => start + at)
    sorted.set(places.sort(compare), start)
  }
  for (let size = run; size < count; size *= 2) {
    for (let start = 0; start < count; start += 2 * size) {
      const merge = new Merge(
        sorted,
        spare,
        start,
        Math.min(start + size, count),
        Math.min(start + 2 * size, count),
      )
      while (!merge.go(compare)) yield
    }
    ;[sorted, spare] = [spare, sorted]
  }
  return sorted
}

/** Merges two adjacent sorted runs. Stable. */
class Merge {
  readonly #from: Uint32Array
  readonly #to: Uint32Array
  readonly #middle: number
  readonly #end: number
  #left: number
  #right: number
  #at: number

  constructor(from: Uint32Array, to: Uint32Array, start: number, middle: number, end: number) {
    this.#from = from
    this.#to = to
    this.#middle = middle
    this.#end = end
    this.#left = start
    this.#right = middle
    this.#at = start
  }

  /** Does a part of the merge; true when done. */
  go(compare: (a: number, b: number) => number): boolean {
    const [from, to, middle, end] = [this.#from, this.#to, this.#middle, this.#end]
    let [left, right, at] = [this.#left, this.#right, this.#at]
    for (const stop = Math.min(at + STRETCH, end); at < stop; at++) {
      const isLeft = right === end || (left < middle && compare(from[left] ?? 0, from[right] ?? 0) <= 0)
      to[at] = from[isLeft ? left++ : right++] ?? 0
    }
    ;[this.#left, this.#right, this.#at] = [left, right, at]
    return at === end
  }
}
