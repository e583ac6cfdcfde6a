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
  if (!Array.isArray(value)) return false
  for (const entry of value) {
    if (typeof entry === 'object' && entry !== null && !(entry instanceof Date)) return false
  }
  return true
}
