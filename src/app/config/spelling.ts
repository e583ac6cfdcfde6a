/** `no-cors` → `noCors`. Anything without a dash inside is unchanged. */
export function toCamelCase(key: string): string {
  return key.replace(/(?<=[a-z])-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

export function toKebabCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The known word closest to `word`, if any is close enough to be what was meant. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const wanted = bare(word)
  let best: { name: string; distance: number } | undefined
  for (const name of known) {
    const distance = editDistance(wanted, bare(name))
    if (best === undefined || distance < best.distance) best = { name, distance }
  }
  return best !== undefined && best.distance <= Math.max(1, Math.floor(wanted.length / 3))
    ? best.name
    : undefined
}

/** Case, dashes and underscores are easily mixed up, so they are ignored. */
function bare(word: string): string {
  return word
    .slice(0, 40)
    .toLowerCase()
    .replace(/[-_\s]/g, '')
}

/** Number of letters to add, drop, change or swap with their neighbor. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const cost = Math.min(at(i - 1, j - 1) + (isSame ? 0 : 1), at(i - 1, j) + 1, at(i, j - 1) + 1)
      row.push(isSwapped ? Math.min(cost, at(i - 2, j - 2) + 1) : cost)
    }
  }
  return at(a.length, b.length)
}
