import pluralize from 'pluralize'
import { Lru } from '../../util/lru.ts'
import { fieldText } from '../data/lookup.ts'
import type { Source } from '../data/source.ts'
import type { Naming, Relations, Row } from '../types.ts'

/** The field that references a row of `parent`: `company_id` for `companies`. */
export function foreignKey(parent: string, { foreignKeySuffix }: Naming): string {
  return `${singularOf(parent)}${foreignKeySuffix}`
}

/** The field that lists the ids of referenced rows: `tag_ids` for `tags`. */
export function listKey(collection: string, naming: Naming): string {
  return `${foreignKey(collection, naming)}s`
}

/** `_embed=a.b.c.d.e` has as many levels as a query may have. */
export const MOST_LEVELS = 5

export function collectionsOf(catalog: Pick<Source, 'kindOf'>, wanted: Relations): readonly string[] {
  // More parts than these are refused.
  const parts = [...wanted.embed, ...wanted.expand].flatMap((name) => [name, ...name.split('.', MOST_LEVELS)])
  const names = new Set([...new Set(parts)].flatMap((name) => [name, pluralOf(name)]))
  return [...names].filter((name) => catalog.kindOf(name) === 'collection')
}

/** Whether a row references the parent with this id, as nested lists compare it. */
export function isChildOf(row: Row, key: string, id: string): boolean {
  return fieldText(row, key) === id
}

/** Characters of words. Forms take dozens of patterns each, and every request with a relation asks for the same few. */
const MOST_CHARACTERS = 20_000

/** The plural of the name of a relation: `companies` for `company`. */
export const pluralOf = remembering((word) => pluralize(word))

/** The singular of the name of a collection: `company` for `companies`. */
export const singularOf = remembering((word) => pluralize.singular(word))

function remembering(form: (word: string) => string): (word: string) => string {
  const forms = new Lru<string, string>({ limit: MOST_CHARACTERS, sizeOf: (_, word) => word.length + 1 })
  return (word) => {
    const known = forms.peek(word)
    if (known !== undefined) return known
    const made = form(word)
    forms.set(word, made)
    return made
  }
}
