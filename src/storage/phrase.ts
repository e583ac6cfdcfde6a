import type { CompiledCondition } from './condition.ts'
import type { TableIndexes } from './table-indexes.ts'
import type { TextIndex } from './text-index.ts'

/** What rows have to pass. */
export interface Filter {
  readonly conditions: readonly CompiledCondition[]
  readonly search: string | undefined
}

/** A text in lower case without which no row passes, and where to look for it. */
export interface Phrase {
  readonly text: string
  /** The column that holds it; any value of the row when left out. */
  readonly path?: string
}

export function findPhrase({ conditions, search }: Filter): Phrase | undefined {
  if (search && !search.includes('\n')) return { text: search }
  for (const { op, path, values } of conditions) {
    const [text] = values
    if (op === 'like' && text !== undefined && values.length === 1 && isPlain(text)) {
      return { text: text.toLowerCase(), path }
    }
  }
  return undefined
}

export function textsFor({ path }: Phrase, indexes: TableIndexes): TextIndex {
  return path === undefined ? indexes.searchTexts() : indexes.texts(path)
}

/** Means itself as a pattern. Beyond ASCII, lower case is another thing than the case that patterns ignore. */
function isPlain(pattern: string): boolean {
  return /^[\w ,:;@#%&=<>!'"/-]+$/.test(pattern)
}
