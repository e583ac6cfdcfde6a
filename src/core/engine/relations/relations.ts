import pluralize from 'pluralize'
import { Lru } from '../../kernel/util/lru.ts'
import type { TableSource } from '../data/database.ts'
import { fieldText } from '../data/lookup.ts'
import type { Naming, Relations, Row } from '../types.ts'

export function foreignKey(parent: string, { foreignKeySuffix }: Naming): string {
  return `${singularOf(parent)}${foreignKeySuffix}`
}

/** The field that lists the ids of referenced rows: `tag_ids` for `tags`. */
export function listKey(collection: string, naming: Naming): string {
  return `${foreignKey(collection, naming)}s`
}

export const MOST_LEVELS = 5

export function collectionsOf(catalog: Pick<TableSource, 'kindOf'>, wanted: Relations): readonly string[] {
  const parts = [...wanted.embed, ...wanted.expand].flatMap((name) => [name, ...name.split('.', MOST_LEVELS)])
  const names = new Set([...new Set(parts)].flatMap((name) => [name, pluralOf(name)]))
  return [...names].filter((name) => catalog.kindOf(name) === 'collection')
}

export function isChildOf(row: Row, key: string, id: string): boolean {
  return fieldText(row, key) === id
}

/** Characters of cached words: pluralizing tries dozens of patterns. */
const MOST_CHARACTERS = 20_000

export const pluralOf = memoized((word) => pluralize(word))

export const singularOf = memoized((word) => pluralize.singular(word))

function memoized(form: (word: string) => string): (word: string) => string {
  const forms = new Lru<string, string>({ limit: MOST_CHARACTERS, sizeOf: (_, word) => word.length + 1 })
  return (word) => {
    const cached = forms.peek(word)
    if (cached !== undefined) return cached
    const made = form(word)
    forms.set(word, made)
    return made
  }
}
