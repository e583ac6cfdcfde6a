/** The native search is the fastest, but its worst case is the product of both lengths. */
const MOST_FOR_INCLUDES = 64

/** Tells whether a text contains another one, in time linear in the text. */
export function compileFind(needle: string): (text: string) => boolean {
  if (needle.length <= MOST_FOR_INCLUDES) return (text) => text.includes(needle)
  const grow = compileGrow(needle)
  return (text) => {
    let found = 0
    for (let at = 0; at < text.length && found < needle.length; at++) found = grow(found, text.charCodeAt(at))
    return found === needle.length
  }
}

/** Knuth-Morris-Pratt: how much of the needle matches with the next letter, given how much does so far. */
function compileGrow(needle: string): (length: number, unit: number) => number {
  /** The failure function: for each length matched so far, how much of it remains if the next letter differs. */
  const kept = [0]

  function grow(length: number, unit: number): number {
    let matched = length
    while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = kept[matched - 1] ?? 0
    return needle.charCodeAt(matched) === unit ? matched + 1 : 0
  }

  let matched = 0
  for (let at = 1; at < needle.length; at++) {
    matched = grow(matched, needle.charCodeAt(at))
    kept.push(matched)
  }
  return grow
}
