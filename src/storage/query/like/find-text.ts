/** The native search is the fastest, but its worst case is the product of both lengths. */
const MOST_FOR_INCLUDES = 64

/** Tells whether a text contains another one, in time linear in the text. */
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
 * Knuth-Morris-Pratt, which reads each letter of a text once: given how many of the units match so far, how many do
 * with the next letter.
 */
export function compileGrow(units: readonly number[]): (length: number, unit: number) => number {
  /** The failure function: for each length matched so far, how much of it remains if the next letter differs. */
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
