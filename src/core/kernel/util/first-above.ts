/** The first position whose number is above this one; the last position if none is. @param ends ascending */
export function firstAbove(ends: readonly number[], number: number): number {
  let [low, high] = [0, ends.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ends[middle] ?? 0) > number) high = middle
    else low = middle + 1
  }
  return low
}
