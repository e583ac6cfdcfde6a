import pluralize from 'pluralize'
import { Lru } from '../util/lru.ts'

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
