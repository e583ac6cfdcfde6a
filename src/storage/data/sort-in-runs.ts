import type { Pace } from '../../util/pace.ts'

/** Like `toSorted`, with pauses: sorts short runs natively, then merges them. Stable. */
export async function sortInRuns<T extends string | number>(
  items: readonly T[],
  run: number,
  pace: Pace,
  compare?: (a: T, b: T) => number,
): Promise<readonly T[]> {
  let [sorted, spare]: [T[], T[]] = [[], []]
  for (let start = 0; start < items.length; start += run) {
    if (pace.isDue) await pace.turn()
    for (const item of items.slice(start, start + run).sort(compare)) sorted.push(item)
  }
  const order = compare ?? byText
  for (let size = run; size < items.length; size *= 2) {
    for (let start = 0; start < items.length; start += 2 * size) {
      const middle = Math.min(start + size, items.length)
      const end = Math.min(middle + size, items.length)
      let [left, right] = [start, middle]
      for (let at = start; at < end; at++) {
        const isLeft = right === end || (left < middle && order(sorted[left] as T, sorted[right] as T) <= 0)
        spare[at] = sorted[isLeft ? left++ : right++] as T
        if (at % 256 === 0 && pace.isDue) await pace.turn()
      }
    }
    ;[sorted, spare] = [spare, sorted]
  }
  return sorted
}

function byText(a: string | number, b: string | number): number {
  return a < b ? -1 : 1
}
