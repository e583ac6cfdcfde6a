/**
 * Folds a code unit for case-insensitive comparison: JavaScript's rule for the flag `i`. Letters with
 * no single capital (ß) are unchanged, and nothing outside ASCII becomes ASCII (ſ is not s, K is not k).
 */
export function foldUnit(unit: number): number {
  return capitals().get(unit) ?? unit
}

/** The text with each code unit folded: two texts are equal but for case if these are equal. */
export function foldText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return text.toUpperCase()
  let folded = ''
  for (let at = 0; at < text.length; at++) folded += String.fromCharCode(foldUnit(text.charCodeAt(at)))
  return folded
}

let known: ReadonlyMap<number, number> | undefined

/** What `foldUnit` changes. Built lazily: it takes some milliseconds. */
export function capitals(): ReadonlyMap<number, number> {
  if (known) return known
  const found = new Map<number, number>()
  for (let unit = 0; unit <= 0xffff; unit++) {
    const text = String.fromCharCode(unit).toUpperCase()
    const capital = text.charCodeAt(0)
    if (text.length === 1 && capital !== unit && (unit < 0x80 || capital >= 0x80)) found.set(unit, capital)
  }
  known = found
  return found
}
