import { editDistance } from '../../util/edit-distance.ts'

export function toCamelCase(key: string): string {
  return key.replace(/(?<=[a-z])-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

export function toKebabCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The known word closest to `word`, if any is close enough to be what was meant. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const wanted = bare(word)
  const most = Math.max(1, Math.floor(wanted.length / 3))
  let best: { name: string; distance: number } | undefined
  for (const name of known) {
    const distance = editDistance(wanted, bare(name), most)
    if (distance !== undefined && (!best || distance < best.distance)) best = { name, distance }
  }
  return best?.name
}

/** Case, dashes and underscores are easily mixed up, so they are ignored. */
function bare(word: string): string {
  return word
    .slice(0, 40)
    .toLowerCase()
    .replace(/[-_\s]/g, '')
}
