import type { Data } from '../types.ts'

/** A piece of data. `collection` begins one, whose rows come next. A name that comes again counts alone, as in `JSON.parse`. */
export type Part =
  | { readonly kind: 'collection'; readonly name: string }
  | { readonly kind: 'rows'; readonly rows: readonly unknown[] }
  | { readonly kind: 'value'; readonly name: string; readonly value: unknown }

/** Data from outside: all of it, or what hands it out in parts, from the start each time. */
export type Incoming = Data | AsyncIterable<Part>

const ROWS = 500

/** What `$schema` names is not data, even where it is a list. */
export function isCollection(name: string, value: unknown): value is readonly unknown[] {
  return name !== '$schema' && Array.isArray(value)
}

export async function* partsOf(incoming: Incoming): AsyncGenerator<Part, void> {
  if (isStream(incoming)) {
    yield* incoming
    return
  }
  for (const [name, value] of Object.entries(incoming)) {
    if (!isCollection(name, value)) {
      yield { kind: 'value', name, value }
      continue
    }
    yield { kind: 'collection', name }
    for (let start = 0; start < value.length; start += ROWS) {
      yield { kind: 'rows', rows: value.slice(start, start + ROWS) }
    }
  }
}

/** Names in the order that `JSON.parse` gives them: those that look like places in a list come first. */
export function inOrder(names: Iterable<string>): readonly string[] {
  return Object.keys(Object.fromEntries(Array.from(names, (name) => [name, null])))
}

function isStream(incoming: Incoming): incoming is AsyncIterable<Part> {
  return Symbol.asyncIterator in incoming
}
