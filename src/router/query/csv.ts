/**
 * The entries of a list in CSV, without the spaces around them: `"a,b", c` has two. Nothing has none. Undefined where
 * a quote is not closed, or is followed by something else than a comma.
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

/** What stands in quotes, in which two are one; or anything that does not begin with one. */
const ENTRY = /\s*"((?:[^"]|"")*)"\s*(?=,|$)|(?!\s*")([^,]*)/y
