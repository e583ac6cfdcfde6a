import { fold, startOfText, toText } from './text.ts'

export type Compare = (value: unknown) => boolean

export function equals(values: readonly string[]): Compare {
  const texts = new Set(values)
  const longest = longestOf(values)
  // A number equals its canonical string: 10 equals "10", but neither "10.0" nor "010".
  const numbers = new Set(values.map(Number).filter((number) => texts.has(String(number))))
  const [only] = values
  if (values.length === 1 && only !== undefined) {
    const number = Number(only)
    if (only === 'NaN') return (value) => startOfText(value, longest) === only
    if (!numbers.has(number)) {
      return (value) => typeof value !== 'number' && startOfText(value, longest) === only
    }
    return (value) => (typeof value === 'number' ? value === number : startOfText(value, longest) === only)
  }
  return (value) => (typeof value === 'number' ? numbers.has(value) : texts.has(startOfText(value, longest)))
}

/** @param values in pairs, each with both ends included */
export function between(values: readonly string[]): Compare {
  const longest = longestOf(values)
  const pairs = Array.from({ length: values.length >> 1 }, (_, at) => {
    const [low = '', high = ''] = values.slice(2 * at, 2 * at + 2)
    return { low, high, lowest: Number(low), highest: Number(high) }
  })
  return (value) => {
    if (isNumeric(value)) {
      const number = Number(value)
      return pairs.some(({ lowest, highest }) => lowest <= number && number <= highest)
    }
    const text = startOfText(value, longest)
    return pairs.some(({ low, high }) => low <= text && text <= high)
  }
}

/** JavaScript compares these numerically with a string, and other types as text. */
function isNumeric(value: unknown): boolean {
  const type = typeof value
  return type === 'number' || type === 'boolean' || type === 'bigint' || value instanceof Date
}

/** Several bounds are alternatives, so the widest decides: numerically for a number, lexically for a string. */
export function byBound(
  values: readonly string[],
  end: 'low' | 'high',
  holds: (bound: string | number, value: string | number) => boolean,
): Compare {
  const longest = longestOf(values)
  const number = widest(numbersIn(values), end)
  const text = widest(values, end)
  return (value) => {
    if (isNumeric(value)) return number !== undefined && holds(number, Number(value))
    return text !== undefined && holds(text, startOfText(value, longest))
  }
}

export function numbersIn(texts: readonly string[]): readonly number[] {
  const numbers: number[] = []
  for (const text of texts) if (!Number.isNaN(Number(text))) numbers.push(Number(text))
  return numbers
}

export function widest<Bound extends string | number>(
  bounds: readonly Bound[],
  end: 'low' | 'high',
): Bound | undefined {
  let best: Bound | undefined
  for (const bound of bounds) {
    if (best === undefined || (end === 'low' ? bound < best : bound > best)) best = bound
  }
  return best
}

function longestOf(values: readonly string[]): number {
  return values.reduce((longest, { length }) => Math.max(longest, length), 0)
}

/** Tests each entry of a list of scalars. A list that contains objects or lists is one value. */
export function overEntries(test: Compare, ofEntry: Compare = test): Compare {
  return (value) => {
    if (!isPlainList(value)) return test(value)
    for (const entry of value) if (entry !== null && entry !== undefined && ofEntry(entry)) return true
    return false
  }
}

export function isPlainList(value: unknown): value is readonly unknown[] {
  if (!Array.isArray(value)) return false
  for (const entry of value) {
    if (typeof entry === 'object' && entry !== null && !(entry instanceof Date)) return false
  }
  return true
}

export function matchesText(matches: (text: string, isFolded?: boolean) => boolean): Compare {
  return (value) => (Number.isFinite(value) ? matches(String(value), true) : matches(toText(value)))
}

export function matchesLike(
  values: readonly string[],
  compileLike: (pattern: string) => (text: string) => boolean,
): Compare {
  const patterns = values.map((pattern) => compileLike(pattern))
  return (value) => {
    const text = toText(value)
    for (const matches of patterns) if (matches(text)) return true
    return false
  }
}

export function equalsFolded(values: readonly string[]): Compare {
  const texts = new Set(values.map(fold))
  const longest = Math.max(0, ...[...texts].map(({ length }) => length))
  return (entry) => {
    if (Number.isFinite(entry)) return texts.has(String(entry))
    const text = toText(entry)
    // Folding shortens no letter, and takes long on megabytes.
    return text.length <= longest && texts.has(fold(text))
  }
}
