/**
 * Full-text search as json-server 0.17.4 does it: a row matches when any value in it, at any depth, holds the
 * text. Names of fields do not count, nor do 0, false and the empty text. `search` is in lower case.
 */
export function compileSearch(search: string): (row: unknown) => boolean {
  // To write a number out costs more than all the rest, and most searches cannot be part of one.
  const mayBeNumber = /^[-+.\deinfaty]*$/.test(search)

  function holds(value: unknown): boolean {
    if (typeof value === 'string') return value.toLowerCase().includes(search)
    if (!value || (typeof value === 'number' && !mayBeNumber)) return false
    return String(value).toLowerCase().includes(search)
  }

  // A list of what is still to be looked at instead of recursion: data may be nested deeper than the stack.
  return function matches(row) {
    if (typeof row !== 'object' || row === null) return holds(row)
    const pending: object[] = [row]
    for (let container = pending.pop(); container !== undefined; container = pending.pop()) {
      for (const key in container) {
        const value: unknown = (container as Record<string, unknown>)[key]
        if (typeof value === 'object' && value !== null) pending.push(value)
        else if (holds(value)) return true
      }
    }
    return false
  }
}
