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

  return (row) => someValue(row, holds)
}

/** What a search looks at in a row, a line for each value. */
export function searchText(row: unknown): string {
  const texts: string[] = []
  someValue(row, (value) => {
    if (value) texts.push(String(value))
    return false
  })
  return texts.join('\n')
}

/** Whether any value in a row, at any depth, passes the test. */
function someValue(row: unknown, passes: (value: unknown) => boolean): boolean {
  // A list of what is still to be looked at instead of recursion: data may be nested deeper than the stack.
  const pending: unknown[] = [row]
  while (pending.length > 0) {
    const value = pending.pop()
    if (Array.isArray(value)) for (const item of value) pending.push(item)
    else if (typeof value !== 'object' || value === null) {
      if (passes(value)) return true
    } else {
      for (const key in value) {
        const field: unknown = (value as Record<string, unknown>)[key]
        if (typeof field === 'object') pending.push(field)
        else if (passes(field)) return true
      }
    }
  }
  return false
}
