/** The strings of a parameter, however it was repeated. An object (`a[b]=c`) has none, unless its keys are indexes. */
export function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  const isList = Array.isArray(value) || Object.keys(value).every((key) => /^\d+$/.test(key))
  return isList ? Object.values(value).filter((item) => typeof item === 'string') : []
}

/** The names in a parameter: `a,b`, or repeated. */
export function names(value: unknown): string[] {
  if (value === undefined) return []
  const all = strings(value).flatMap((text) => text.split(','))
  return [...new Set(all.map((name) => name.trim()).filter((name) => name !== ''))]
}
