/** Whether any entry occurs twice. In one pass: to compare each with each takes minutes for a long list. */
export function hasTwins(list: readonly unknown[]): boolean {
  const values = new Set<unknown>()
  const texts = new Set<string>()
  for (const entry of list) {
    if (typeof entry === 'object' && entry !== null) texts.add(canonical(entry))
    else values.add(entry)
  }
  return values.size + texts.size < list.length
}

/** JSON with the keys of objects in order. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`
}
