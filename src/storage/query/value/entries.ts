type Test = (value: unknown) => boolean

/** Tests each entry of a list of scalars. A list that contains objects or lists is one value. */
export function overEntries(test: Test, ofEntry: Test = test): Test {
  return (value) => {
    if (!isPlainList(value)) return test(value)
    for (const entry of value) if (entry !== null && entry !== undefined && ofEntry(entry)) return true
    return false
  }
}

export function isPlainList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every(isPlainValue)
}

function isPlainValue(value: unknown): boolean {
  return typeof value !== 'object' || value === null || value instanceof Date
}
