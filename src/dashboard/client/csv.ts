/** The entries of a list as the API reads one: separated by commas, quoted where they contain one. */
export function readCsv(text: string): readonly string[] {
  if (text.trim() === '') return []
  return Array.from(`,${text}`.matchAll(ENTRY), ([, quoted, plain = '']) =>
    quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'),
  )
}

/** The opposite of `readCsv`. */
export function writeCsv(entries: readonly string[]): string {
  return entries
    .map((entry) => (NEEDS_QUOTES.test(entry) ? `"${entry.replaceAll('"', '""')}"` : entry))
    .join(',')
}

/** Each with the comma before it. */
const ENTRY = /,(?:\s*"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))/g
const NEEDS_QUOTES = /[,"]|^\s|\s$/
