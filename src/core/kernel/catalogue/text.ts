/** `String(value)`, or the empty string for what cannot be converted: nested too deep, or with its own `toString`. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  // Five times as fast: with millions of numbers, that saves a third of a second.
  if (Array.isArray(value) && value.length > LONG && value.every(Number.isFinite)) {
    return JSON.stringify(value).slice(1, -1)
  }
  try {
    return String(value)
  } catch {
    return ''
  }
}

const LONG = 10_000

/** At least the first `most` characters: comparing with a shorter text needs no more. */
export function startOfText(value: unknown, most: number): string {
  if (!Array.isArray(value) || !hasCommas(value, most)) return toText(value)
  let text = ''
  const pieces = scalarsOf(value)
  for (let piece = pieces.next(); !piece.done && text.length <= most; piece = pieces.next())
    text += piece.value
  return text
}

/** Longer than any URL. Beyond it, Maps compare strings instead of hashing them. */
const MOST_CHARACTERS = 16_000

/** `String(value)` as a key; undefined if it is too long for one. */
export function keyOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  const text = startOfText(value, MOST_CHARACTERS)
  return text.length <= MOST_CHARACTERS ? text : undefined
}

export function isKey(text: string): boolean {
  return text.length <= MOST_CHARACTERS
}

function hasCommas(list: readonly unknown[], most: number): boolean {
  const pending = [list]
  let commas = 0
  let steps = 0
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    commas += Math.max(0, next.length - 1)
    if (commas > most) return true
    for (const item of next) if (Array.isArray(item)) pending.push(item)
    if (++steps > MOST_LISTS) return false
  }
  return false
}

const MOST_LISTS = 100_000

/** The pieces that `join` puts together: nothing for a list inside itself. */
function* scalarsOf(list: readonly unknown[]): Generator<string> {
  const stack = [{ list, at: 0 }]
  const open = new Set([list])
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    if (top.at >= top.list.length) {
      open.delete(top.list)
      stack.pop()
      continue
    }
    const item = top.list[top.at]
    if (top.at > 0) yield ','
    top.at++
    if (!Array.isArray(item)) {
      if (item !== null && item !== undefined) yield toText(item)
    } else if (!open.has(item)) {
      stack.push({ list: item, at: 0 })
      open.add(item)
    }
  }
}

/** The native search is the fastest, but its worst case is the product of both lengths. */
const MOST_FOR_INCLUDES = 64

/** Substring search in time linear in the text. */
export function compileFind(needle: string): (text: string) => boolean {
  if (needle.length <= MOST_FOR_INCLUDES) return (text) => text.includes(needle)
  const grow = compileGrow(needle)
  return (text) => {
    let matched = 0
    for (let at = 0; at < text.length && matched < needle.length; at++)
      matched = grow(matched, text.charCodeAt(at))
    return matched === needle.length
  }
}

/** Knuth-Morris-Pratt: the matched length after the next letter. */
function compileGrow(needle: string): (length: number, unit: number) => number {
  /** The failure function: how much of each matched length remains if the next letter differs. */
  const fallback = [0]

  function grow(length: number, unit: number): number {
    let matched = length
    while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = fallback[matched - 1] ?? 0
    return needle.charCodeAt(matched) === unit ? matched + 1 : 0
  }

  let matched = 0
  for (let at = 1; at < needle.length; at++) {
    matched = grow(matched, needle.charCodeAt(at))
    fallback.push(matched)
  }
  return grow
}

/** The two lowercase sigmas count as one letter: which one lowercasing yields depends on the next letter. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower
}

type Matches = (text: string, isFolded?: boolean) => boolean

export function compileContains(parts: readonly string[]): Matches {
  const finds = parts.map((part) => compileFind(fold(part)))
  return (text, isFolded) => {
    const folded = isFolded ? text : fold(text)
    for (const isIn of finds) if (isIn(folded)) return true
    return false
  }
}

export function compileStartsWith(starts: readonly string[]): Matches {
  const needles = starts.map(fold)
  return (text, isFolded) => {
    for (const needle of needles) {
      if ((isFolded ? text : fold(text.slice(0, needle.length + 1))).startsWith(needle)) return true
    }
    return false
  }
}

export function compileEndsWith(ends: readonly string[]): Matches {
  const needles = ends.map(fold)
  return (text, isFolded) => {
    for (const needle of needles) {
      if (needle === '') return true
      if ((isFolded ? text : fold(text.slice(-needle.length - 1))).endsWith(needle)) return true
    }
    return false
  }
}
