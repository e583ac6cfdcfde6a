import type { Pace } from '../../work/pace.ts'

/** Sorts the numbers below `count`: native sorts of short runs, then merges. Stable. */
export async function sortPlaces(
  count: number,
  compare: (a: number, b: number) => number,
  run: number,
  pace: Pace,
): Promise<ArrayLike<number>> {
  let [sorted, spare] = [new Uint32Array(count), new Uint32Array(count)]
  for (let start = 0; start < count; start += run) {
    if (pace.isDue) await pace.turn()
    const places = Array.from({ length: Math.min(run, count - start) }, (_, at) => start + at)
    sorted.set(places.sort(compare), start)
  }
  for (let size = run; size < count; size *= 2) {
    for (let start = 0; start < count; start += 2 * size) {
      const middle = Math.min(start + size, count)
      await merge(sorted, spare, { start, middle, end: Math.min(start + 2 * size, count) }, compare, pace)
    }
    ;[sorted, spare] = [spare, sorted]
  }
  return sorted
}

/** Merges two adjacent sorted runs. */
async function merge(
  from: Uint32Array,
  to: Uint32Array,
  { start, middle, end }: { readonly start: number; readonly middle: number; readonly end: number },
  compare: (a: number, b: number) => number,
  pace: Pace,
): Promise<void> {
  let [left, right] = [start, middle]
  for (let at = start; at < end; at++) {
    const isLeft = right === end || (left < middle && compare(from[left] ?? 0, from[right] ?? 0) <= 0)
    to[at] = from[isLeft ? left++ : right++] ?? 0
    if (at % 256 === 0 && pace.isDue) await pace.turn()
  }
}
