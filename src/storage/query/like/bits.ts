/** A set of small numbers, one bit each. */
export type Bits = Int32Array

export function noBits(count: number): Bits {
  return new Int32Array(Math.ceil(count / 32))
}

export function addBit(set: Bits, bit: number): void {
  const word = bit >> 5
  set[word] = (set[word] ?? 0) | (1 << (bit & 31))
}

export function isEmpty(set: Bits): boolean {
  return set.every((word) => word === 0)
}

export function intersects(a: Bits, b: Bits): boolean {
  for (let word = 0; word < a.length; word += 1) if (((a[word] ?? 0) & (b[word] ?? 0)) !== 0) return true
  return false
}

/** By hand, because TypedArray's `set` is slower for a few words. */
export function copyBits(from: Bits, to: Bits): void {
  for (let word = 0; word < to.length; word += 1) to[word] = from[word] ?? 0
}

/** Intersects the set with the other, in place. */
export function keepCommon(set: Bits, other: Bits): void {
  for (let word = 0; word < set.length; word += 1) set[word] = (set[word] ?? 0) & (other[word] ?? 0)
}

/**
 * Speeds up unions of many sets: given a set for each bit, builds a table with the union for each value of each
 * byte. The union for any choice of bits then takes a quarter of a step per bit, however many are chosen.
 */
export function tabulate(sets: readonly Bits[]): Int32Array {
  const words = noBits(sets.length).length
  const table = new Int32Array(words * 4 * 256 * words)
  for (let byte = 0; byte < words * 4; byte += 1) {
    for (let value = 1; value < 256; value += 1) {
      const set = sets[byte * 8 + 31 - Math.clz32(value & -value)]
      const row = (byte * 256 + value) * words
      const rest = (byte * 256 + (value & (value - 1))) * words
      for (let word = 0; word < words; word += 1) {
        table[row + word] = (table[rest + word] ?? 0) | (set?.[word] ?? 0)
      }
    }
  }
  return table
}

/** Adds the table's union for the chosen bits to `into`. */
export function addUnion(into: Bits, chosen: Bits, table: Int32Array): void {
  const words = chosen.length
  for (let word = 0; word < words; word += 1) {
    let rest = chosen[word] ?? 0
    for (let byte = word * 4; rest !== 0; byte += 1, rest >>>= 8) {
      const value = rest & 255
      if (value === 0) continue
      const row = (byte * 256 + value) * words
      for (let at = 0; at < words; at += 1) into[at] = (into[at] ?? 0) | (table[row + at] ?? 0)
    }
  }
}
