import { isWork, type Work } from '../../../work/in-slices.ts'
import type { ReadOptions } from '../../engine.ts'
import { waitForLookup } from '../../index/lookup.ts'
import { isLongList } from '../../json/pretty-json.ts'
import { explainList, findIdle } from '../../local/reading/explain-list.ts'
import { objectIn, type Readable } from '../../local/reading/readable.ts'
import { SeenData } from '../../local/reading/seen-data.ts'
import { fieldNames } from '../../query/field-names.ts'
import { withIgnored } from '../../query/with-ignored.ts'
import type { FoundByKind, Listing, Question, QuestionKind } from '../../question.ts'
import { attachRelations } from '../../relations/attach.ts'
import { hasRelations, isShaped, joinRows } from '../../relations/join-rows.ts'
import { isChildOf } from '../../relations/relations.ts'
import { anyCaseColumn, anyCaseKey } from '../../rules/columns.ts'
import type { ListQuery, Row } from '../../types.ts'
import { FetchedData } from './fetched-data.ts'

type Readers = {
  readonly [K in QuestionKind]: (
    data: Readable,
    question: Question<K>,
    isWanted: (() => boolean) | undefined,
  ) => FoundByKind[K] | Work<FoundByKind[K]>
}

/** Answers a question in one transaction: what is found is of one moment. */
export function readQuestion<K extends QuestionKind>(
  data: FetchedData,
  question: Question<K>,
  { isWanted, view }: ReadOptions,
): Promise<FoundByKind[K]> {
  const read: Readers[K] = READERS[question.kind]
  return data.complete(function* () {
    const seen = view ? new SeenData(data, view) : data
    const found = read(seen, question, isWanted)
    return isWork(found) ? yield* found : found
  })
}

const READERS: Readers = {
  *item(data, { collection, id, relations, within }) {
    const row = data.find(collection, id)
    if (!row || (within && !isChildOf(row, within.key, within.id))) return undefined
    if (!relations || !isShaped(relations)) return row
    const [found] = yield* attachRelations(data, collection, [row], relations)
    return found
  },

  *list(data, { collection, query }, isWanted) {
    if (data.kindOf(collection) !== 'collection') return undefined
    if (data.prepare) yield* data.prepare(collection, hasRelations(query))
    const selection = yield* data.selecting(collection, query, undefined, isWanted)
    const idle = yield* findIdle(data, collection, query, selection)
    const ignored = [...(selection.ignored ?? []), ...idle]
    const { items, ...head } = idle.length === 0 ? selection : withIgnored(selection, ignored)
    return { rows: yield* shownRows(data, collection, items, query), ...head }
  },

  *keyed(data, { collection, field, text }) {
    const lookup = yield* waitForLookup(() => data.keyed(collection, anyCaseColumn(field)))
    const rows = lookup?.(anyCaseKey(text)) ?? []
    return rows.find((row) => row[field] === text) ?? rows[0]
  },

  object: (data, { name }) => objectIn(data, name),

  *database(data) {
    if (data.prepare) yield* data.prepare('', true)
    return data.shown
  },

  *explain(data, { collection, query }) {
    return data.kindOf(collection) === 'collection' ? yield* explainList(data, collection, query) : undefined
  },

  *fields(data, { collection }) {
    if (data.kindOf(collection) !== 'collection') return undefined
    return fieldNames(
      data instanceof FetchedData ? yield* data.sample(collection) : (data.rows(collection) ?? []),
    )
  },
}

function* shownRows(
  data: Readable,
  collection: string,
  items: readonly Row[],
  query: ListQuery,
): Work<Listing['rows']> {
  if (!isShaped(query)) return items
  const joined = yield* joinRows(data, collection, items, query)
  return isLongList(joined) ? joined : joined.toArray()
}
