import type { TableIndexes } from '../index/table-indexes.ts'
import type { TextIndex } from '../index/text-index.ts'
import type { Compiled, CompiledCondition } from '../query/compile-where.ts'

/** What rows must pass. */
export interface Filter {
  readonly conditions: readonly Compiled[]
  readonly search: string | undefined
}

/** A lowercase text that every passing row contains, and where to look for it. */
export interface Phrase {
  readonly text: string
  /** The condition on a column that it comes from; if absent, the search over the whole row. */
  readonly condition?: CompiledCondition
}

/** Longer texts are searched row by row: in a whole block, that might take too long. */
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

/** Whether a pattern is a plain literal. Beyond ASCII, lowercasing differs from how patterns ignore case. */
function isPlain(pattern: string): boolean {
  return /^[\w ,:;@#%&=<>!'"/-]+$/.test(pattern)
}
