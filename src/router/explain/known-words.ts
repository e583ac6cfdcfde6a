/** Every parameter that has a meaning somewhere, whatever fields rows have: those of json-server 0.17.4, and ours. */
export const KNOWN_WORDS: readonly string[] = [
  ...['q', '_sort', '_order', '_page', '_limit', '_start', '_end', '_embed', '_expand', '_dependent'],
  ...['_where', '_fields', '_omit', '_per_page', '_strict', '_explain', '_upsert', '_all'],
  // Of other dialects.
  ...['_perPage', '_sortField', '_sortDir', '_filters', 'ids'],
  // What a test asks of a response, and of the clock.
  ...['_delay', '_status', '_before'],
  // JSONP's callback, and jQuery's cache buster.
  ...['callback', '_'],
]

const WORDS: ReadonlySet<string> = new Set(KNOWN_WORDS)

export function isKnownWord(name: string): boolean {
  return WORDS.has(name)
}
