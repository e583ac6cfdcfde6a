/** `no-cors` → `noCors`. What has no dash inside stays as it is. */
export function toCamelCase(key: string): string {
  return key.replace(/(?<=[a-z])-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** `noCors` → `no-cors`. */
export function toKebabCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The known word that somebody who wrote `word` most likely meant, if any is close enough. */
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

/** Case, dashes and underscores are what people mix up most, so they count for nothing. */
function bare(word: string): string {
  return word
    .slice(0, 40)
    .toLowerCase()
    .replace(/[-_\s]/g, '')
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const swap = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(swap, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
