/** What is longer is read piece by piece, so that others have their turn in between. */
export const LONG_TEXT = 1024

/** So many characters at a time: even where each takes longest, that is some milliseconds. */
export const PIECE = 16_384

/** JavaScript's own search is the fastest, but its worst case is the length of one text times that of the other. */
const MOST_FOR_INCLUDES = 64

/** Tells whether a text holds another one, in time that grows with the text only. */
export function compileFind(needle: string): (text: string) => boolean {
  if (needle.length <= MOST_FOR_INCLUDES) return (text) => text.includes(needle)
  const units = Array.from({ length: needle.length }, (_, at) => needle.charCodeAt(at))
  const grow = compileGrow(units)
  return (text) => {
    let found = 0
    for (let at = 0; at < text.length && found < units.length; at++) found = grow(found, text.charCodeAt(at))
    return found === units.length
  }
}

/**
 * Knuth, Morris and Pratt, who read each letter of a text once: given how many of the units match so far, how many do
 * with the next letter.
 */
export function compileGrow(units: readonly number[]): (length: number, unit: number) => number {
  /** For each length of a match so far, how much of it can stay when the next letter differs. */
  const kept = [0]

  function grow(length: number, unit: number): number {
    let matched = length
    while (matched > 0 && units[matched] !== unit) matched = kept[matched - 1] ?? 0
    return units[matched] === unit ? matched + 1 : 0
  }

  let matched = 0
  for (const unit of units.slice(1)) {
    matched = grow(matched, unit)
    kept.push(matched)
  }
  return grow
}
