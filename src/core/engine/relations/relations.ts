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

/** `assignee` for the key `assigneeId`, `tags` for `tagIds`; undefined for a key without suffix. */
export function relationNamedBy(field: string, { foreignKeySuffix: suffix }: Naming): string | undefined {
  if (field.includes('.')) return undefined
  if (field.endsWith(suffix)) return field.slice(0, field.length - suffix.length) || undefined
  const isList = field.endsWith(`${suffix}s`) && field.length > suffix.length + 1
  return isList ? pluralOf(field.slice(0, field.length - suffix.length - 1)) : undefined
}

/** The key by which the settings name a relation of a collection. */
export function referenceNamed(
  naming: Naming,
  collection: string,
  relation: string,
): { readonly field: string; readonly collection: string; readonly isList: boolean } | undefined {
  for (const [field, target] of naming.references?.get(collection) ?? []) {
    if (relationNamedBy(field, naming) === relation)
      return { field, collection: target, isList: !field.endsWith(naming.foreignKeySuffix) }
  }
  return undefined
}

/** The key by which alone the settings say that rows of a collection refer to another, but for keys inside of objects. */
export function onlyReference(
  naming: Naming,
  child: string,
  parent: string,
): { readonly field: string; readonly isList: boolean } | undefined {
  const [first, ...others] = [...(naming.references?.get(child) ?? [])].filter(
    ([field, target]) => target === parent && !field.includes('.'),
  )
  if (!first || others.length > 0) return undefined
  const [field] = first
  return { field, isList: field.endsWith(`${naming.foreignKeySuffix}s`) }
}

/** The collection whose rows are called so, which a plural of another kind names, too: `persons` for `person`. */
export function collectionOfOne(
  one: string,
  catalog: Pick<TableSource, 'kindOf' | 'names'>,
): string | undefined {
  const isThere = (name: string) => catalog.kindOf(name) === 'collection'
  const usual = pluralOf(one)
  return isThere(usual) ? usual : catalog.names().find((name) => singularOf(name) === one && isThere(name))
}

/** Whether keys name it before another plural: `people` before `persons`. */
export function isUsualPlural(collection: string): boolean {
  return pluralOf(singularOf(collection)) === collection
}

export const MOST_LEVELS = 5

/** All collections that these relations may lead to, wherever they begin. */
export function collectionsOf(
  catalog: Pick<TableSource, 'kindOf' | 'names' | 'naming'>,
  wanted: Relations,
): readonly string[] {
  const parts = [...wanted.embed, ...wanted.expand].flatMap((name) => [name, ...name.split('.', MOST_LEVELS)])
  const { naming } = catalog
  const referring = [...(naming.references?.keys() ?? [])]
  const names = new Set(
    [...new Set(parts)].flatMap((name) => [
      ...referring.flatMap((collection) => referenceNamed(naming, collection, name)?.collection ?? []),
      name,
      collectionOfOne(name, catalog) ?? name,
    ]),
  )
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
