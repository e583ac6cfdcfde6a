import pluralize from 'pluralize'
import { freeName } from '../../core/kernel/util/free-name.ts'

export interface TypeNames {
  /** `Product`: what is read. */
  readonly row: string
  /** `NewProduct`: the body that creates one. */
  readonly fresh: string
  /** `ProductPatch`: the body that changes some fields. */
  readonly patch: string
  /** `ProductRelations`: what `_embed` and `_expand` add. */
  readonly relations: string
}

/** Names for the types of each resource: ASCII identifiers, unique regardless of case. */
export function typeNamesOf(
  resources: readonly string[],
  baseOf: (resource: string) => string = pascalCase,
): ReadonlyMap<string, TypeNames> {
  const taken = new Set(RESERVED_NAMES)
  const take = (wanted: string) => {
    const base = RESERVED_NAMES.has(wanted.toLowerCase()) ? `${wanted}Item` : wanted
    const name = freeName(base, (each) => taken.has(each.toLowerCase()))
    taken.add(name.toLowerCase())
    return name
  }
  // Rows first: they take precedence over derived names such as `NewProduct`.
  const rows = resources.map((name) => take(baseOf(name)))
  return new Map(
    resources.map((name, place) => {
      const row = rows[place] ?? ''
      const fresh = take(`New${row}`)
      return [name, { row, fresh, patch: take(`${row}Patch`), relations: take(`${row}Relations`) }]
    }),
  )
}

/** `Product` of `products`, `OrderItem` of `order-items`. */
export function pascalCase(name: string): string {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '')
  const words = plain.match(/[A-Za-z]+|\d+/g) ?? []
  const last = words.findLastIndex((word) => /[A-Za-z]/.test(word))
  const joined = words
    .map((word, place) => (place === last ? pluralize.singular(word) : word))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
  if (joined === '') return 'Resource'
  return /^\d/.test(joined) ? `N${joined}` : joined
}

/** Used by the generated documents, or built into TypeScript. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...['api', 'database', 'error', 'paths', 'resources', 'stored', 'validationerror'],
  ...['array', 'bigint', 'boolean', 'date', 'function', 'map', 'math', 'number', 'object', 'omit'],
  ...['omiteach', 'partial', 'pick'],
  ...['promise', 'proxy', 'readonly', 'record', 'reflect', 'regexp', 'required', 'set', 'string', 'symbol'],
  ...['any', 'never', 'null', 'undefined', 'unknown', 'void'],
])

/** `an agent`, `a user`, `an hour`: by the sound of the word. */
export function withArticle(noun: string): string {
  return `${VOWEL.test(noun) && !SPOKEN_YOU_OR_WON.test(noun) ? 'an' : 'a'} ${noun}`
}

/** Begins with the sound of a vowel; some abbreviations are spelled out: an SMS. */
const VOWEL =
  /^(?:[aeiou]|hour|heir|honest|honou?r|(?:faq|html|http|llm|mfa|nft|rss|sdk|sms|sql|ssh|ssl|svg|xml)(?![a-z]))/i

/** A user, a unit, a URL, a euro, a one-time code. */
const SPOKEN_YOU_OR_WON = /^(?:eu|on(?:e|ce)(?![a-z])|u(?:ni(?![mn])|rl|ri|uid|s[aeu]|sb|ti|[^a-z]|$))/i

/** A row of a collection, in words: `a product`, `an agent`; `one of news`, for which there is no singular. */
export function oneOf(collection: string): string {
  const one = pluralize.singular(collection)
  return one === collection ? `one of ${collection}` : withArticle(one)
}
