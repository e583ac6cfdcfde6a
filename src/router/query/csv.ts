/** Entries of a CSV list, trimmed: `"a,b", c` has two. Undefined if a quote is not closed, or no comma follows. */
export function parseCsv(text: string): readonly string[] | undefined {
  if (text.trim() === '') return []
  const entries: string[] = []
  for (let at = 0; at <= text.length; ) {
    ENTRY.lastIndex = at
    const match = ENTRY.exec(text)
    if (!match) return undefined
    const [whole, quoted, plain = ''] = match
    entries.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'))
    at += whole.length + 1
  }
  return entries
}

/** A quoted entry, in which doubled quotes are one; or an unquoted one. */
const ENTRY = /\s*"((?:[^"]|"")*)"\s*(?=,|$)|(?!\s*")([^,]*)/y
