/**
 * The entries of a CSV list, without the spaces around them: `"a,b", c` has two; an empty text has none. Undefined if
 * a quote is not closed, or is followed by anything but a comma.
 */
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
