import { settle, type Verdict, type Work } from '../../../work/in-slices.ts'

type Test = (value: unknown) => Verdict

/** Entries tested in one go. */
const MOST_ENTRIES = 500

/**
 * Tests each entry if a value is a list of scalars, else the value itself. A list that contains objects
 * or lists is one value.
 */
export function overEntries(test: Test, ofEntry: Test = test): Test {
  function* overLong(list: readonly unknown[]): Work<boolean> {
    let isPlain = true
    for (let at = 0; at < list.length && isPlain; at++) {
      isPlain = isPlainValue(list[at])
      if (at % MOST_ENTRIES === 0) yield
    }
    if (!isPlain) return yield* settle(test(list))
    for (let at = 0; at < list.length; at++) {
      if (!isNull(list[at]) && (yield* settle(ofEntry(list[at])))) return true
      if (at % MOST_ENTRIES === 0) yield
    }
    return false
  }
  return (value) => {
    if (!Array.isArray(value)) return test(value)
    if (value.length > MOST_ENTRIES) return overLong(value)
    if (!isPlainList(value)) return test(value)
    return someEntry(value, ofEntry)
  }
}

function someEntry(list: readonly unknown[], test: Test): Verdict {
  for (const [at, entry] of list.entries()) {
    const verdict = !isNull(entry) && test(entry)
    if (verdict === true) return true
    if (verdict !== false) return someLater(verdict, list.slice(at + 1), test)
  }
  return false
}

function* someLater(late: Work<boolean>, others: readonly unknown[], test: Test): Work<boolean> {
  return (yield* late) || (yield* settle(someEntry(others, test)))
}

export function isPlainList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every(isPlainValue)
}

function isPlainValue(value: unknown): boolean {
  return typeof value !== 'object' || value === null || value instanceof Date
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined
}
