import type { TableIndexes } from '../index/table-indexes.ts'
import type { TextIndex } from '../index/text-index.ts'
import type { Compiled, CompiledCondition } from '../query/compile-where.ts'

/** What rows have to pass. */
export interface Filter {
  readonly conditions: readonly Compiled[]
  readonly search: string | undefined
}

/** A text in lower case without which no row passes, and where to look for it. */
export interface Phrase {
  readonly text: string
  /** What asked for it, of a column; the search, of the whole row, when left out. */
  readonly condition?: CompiledCondition
}

/** A longer text is looked for in each row by itself: in many at a time it may take too long. */
const LONGEST = 64

export function findPhrase({ conditions, search }: Filter): Phrase | undefined {
  if (search && search.length <= LONGEST && !search.includes('\n')) return { text: search }
  for (const condition of conditions) {
    if (condition.kind !== 'condition') continue
    const [text] = condition.values
    const isOne = condition.op === 'like' && condition.values.length === 1
    if (isOne && text !== undefined && text.length <= LONGEST && isPlain(text))
      return { text: text.toLowerCase(), condition }
  }
  return undefined
}

export function textsFor({ condition }: Phrase, indexes: TableIndexes): TextIndex {
  return condition ? indexes.texts(condition.path) : indexes.searchTexts()
}

/** Means itself as a pattern. Beyond ASCII, lower case is another thing than the case that patterns ignore. */
function isPlain(pattern: string): boolean {
  return /^[\w ,:;@#%&=<>!'"/-]+$/.test(pattern)
}
