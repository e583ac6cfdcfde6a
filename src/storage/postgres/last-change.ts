import type { Question, QuestionKind } from '../question.ts'
import { hasRelations } from '../relations/join-rows.ts'
import type { Relations } from '../types.ts'
import type { Freshness } from './write/freshness.ts'

type Finders = {
  readonly [K in QuestionKind]: (fresh: Freshness, question: Question<K>) => number
}

/** The last version that changed what a question is about, as far as was heard. */
export function lastChange<K extends QuestionKind>(fresh: Freshness, question: Question<K>): number {
  const find: Finders[K] = FINDERS[question.kind]
  return find(fresh, question)
}

const FINDERS: Finders = {
  item(fresh, { collection, id, relations }) {
    // Whether a field is shown may depend on the fields that other rows have.
    return relations ? ofShown(fresh, collection, relations) : fresh.ofItem(collection, id)
  },
  list: (fresh, { collection, query }) => ofShown(fresh, collection, query),
  explain: (fresh, { collection, query }) => ofShown(fresh, collection, query),
  keyed: (fresh, { collection }) => fresh.of(collection),
  object: (fresh, { name }) => fresh.of(name),
  fields: (fresh, { collection }) => fresh.of(collection),
  database: ({ version }) => version,
}

/** With relations, any other collection may contribute to the answer. */
function ofShown(fresh: Freshness, collection: string, wanted: Relations): number {
  return hasRelations(wanted) ? fresh.version : fresh.of(collection)
}
