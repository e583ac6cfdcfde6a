/** Code units, as ranges (both ends included) in ascending order that neither touch nor overlap. */
export type CharSet = readonly (readonly [low: number, high: number])[]

const LAST = 0xffff

export const DIGITS: CharSet = [[0x30, 0x39]]
export const WORD: CharSet = union([[0x30, 0x39]], [[0x41, 0x5a]], [[0x5f, 0x5f]], [[0x61, 0x7a]])
export const LINE_ENDS: CharSet = union(...[0x0a, 0x0d, 0x2028, 0x2029].map(single))
export const SPACE: CharSet = union(
  [[0x09, 0x0d]],
  [[0x2000, 0x200a]],
  ...[0x20, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff].map(single),
)

export function single(unit: number): CharSet {
  return [[unit, unit]]
}

/** What is in any of the sets. */
export function union(...sets: readonly CharSet[]): CharSet {
  const sorted = sets.flat().sort((a, b) => a[0] - b[0])
  const merged: [number, number][] = []
  for (const [low, high] of sorted) {
    const last = merged.at(-1)
    if (last && low <= last[1] + 1) last[1] = Math.max(last[1], high)
    else merged.push([low, high])
  }
  return merged
}

/** What is not in the set. */
export function complement(set: CharSet): CharSet {
  const rest: [number, number][] = []
  let next = 0
  for (const [low, high] of set) {
    if (low > next) rest.push([next, low - 1])
    next = high + 1
  }
  if (next <= LAST) rest.push([next, LAST])
  return rest
}

export function contains(set: CharSet, unit: number): boolean {
  let [first, last] = [0, set.length - 1]
  while (first <= last) {
    const middle = (first + last) >> 1
    const range = set[middle]
    if (range === undefined) return false
    if (unit < range[0]) last = middle - 1
    else if (unit > range[1]) first = middle + 1
    else return true
  }
  return false
}
