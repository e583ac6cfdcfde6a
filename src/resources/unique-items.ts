/** Whether any entry occurs twice. In one pass: to compare each with each takes minutes for a long list. */
export function hasTwins(list: readonly unknown[]): boolean {
  const seen = new Set<string>()
  for (const entry of list) {
    const text = canonical(entry)
    if (seen.has(text)) return true
    seen.add(text)
  }
  return false
}

/** JSON with the keys of objects in order. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`
}
