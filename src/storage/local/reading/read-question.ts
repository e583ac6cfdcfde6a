import { type Work, workInSlices } from '../../../work/in-slices.ts'
import type { MaybePromise, ReadOptions } from '../../engine.ts'
import { waitForLookup } from '../../index/lookup.ts'
import { asItIsNow, isLongList } from '../../json/pretty-json.ts'
import { fieldNames } from '../../query/field-names.ts'
import { withIgnored } from '../../query/with-ignored.ts'
import type { Explanation, FoundByKind, Listing, Question, QuestionKind, Reading } from '../../question.ts'
import { attachRelations } from '../../relations/attach.ts'
import { hasRelations, isShaped, joinRows } from '../../relations/join-rows.ts'
import { isChildOf } from '../../relations/relations.ts'
import { anyCaseColumn, anyCaseKey } from '../../rules/columns.ts'
import type { Data, ListQuery, Relations, Row, Selection } from '../../types.ts'
import type { LocalData } from '../local-data.ts'
import { explainList, findIdle } from './explain-list.ts'
import { objectIn, type Readable } from './readable.ts'
import { SeenData } from './seen-data.ts'

type Readers = {
  readonly [K in QuestionKind]: (
    local: Readable,
    question: Question<K>,
    options: ReadOptions,
  ) => MaybePromise<Reading<FoundByKind[K]>>
}

/** Answers a question from the current data. */
export function readQuestion<K extends QuestionKind>(
  local: LocalData,
  question: Question<K>,
  options: ReadOptions,
): MaybePromise<Reading<FoundByKind[K]>> {
  const read: Readers[K] = READERS[question.kind]
  return read(options.view ? new SeenData(local, options.view) : local, question, options)
}

const READERS: Readers = {
  item(local, { collection, id, relations, within }) {
    const find = () => {
      const row = local.find(collection, id)
      return row && within && !isChildOf(row, within.key, within.id) ? undefined : row
    }
    if (relations && isShaped(relations))
      return workInSlices(readRelated(local, collection, find(), relations))
    const row = find()
    // Rows are immutable, only replaced: the same row is the same answer, whatever else changed.
    return reading(local, row, () => find() === row)
  },

  list(local, { collection, query }, { isWanted }) {
    return workInSlices(readList(local, collection, query, isWanted))
  },

  keyed(local, { collection, field, text }) {
    return workInSlices(readKeyed(local, collection, field, text))
  },

  object(local, { name }) {
    const object = objectIn(local, name)
    return reading(local, object, () => objectIn(local, name) === object)
  },

  database(local) {
    return local.prepare
      ? workInSlices(readEverything(local))
      : reading(local, asItIsNow(local.shown), unchanged(local))
  },

  explain(local, { collection, query }) {
    return workInSlices(readExplanation(local, collection, query))
  },

  fields(local, { collection }) {
    return workInSlices(readFields(local, collection))
  },
}

function* readEverything(local: Readable): Work<Reading<Data>> {
  if (local.prepare) yield* local.prepare('', true)
  return reading(local, asItIsNow(local.shown), unchanged(local))
}

function* readFields(local: Readable, collection: string): Work<Reading<readonly string[] | undefined>> {
  const isCurrent = unchangedTable(local, collection)
  if (local.prepare) yield* local.prepare(collection, false)
  const rows = local.rows(collection)
  return reading(local, rows && fieldNames(rows), isCurrent)
}

function* readList(
  local: Readable,
  collection: string,
  query: ListQuery,
  isWanted: (() => boolean) | undefined,
): Work<Reading<Listing | undefined>> {
  // Taken before the search: the data may change during a long one.
  const isCurrent = hasRelations(query) ? unchanged(local) : unchangedTable(local, collection)
  if (local.kindOf(collection) !== 'collection') return reading(local, undefined, isCurrent)
  if (local.prepare) yield* local.prepare(collection, hasRelations(query))
  const { items, ...head } = yield* listing(local, collection, query, isWanted)
  // It may be the table's own list.
  const rows = items.slice()
  if (!isShaped(query)) return reading(local, { rows, ...head }, isCurrent)
  const joined = yield* joinRows(local, collection, rows, query)
  return reading(local, { rows: isLongList(joined) ? joined : joined.toArray(), ...head }, isCurrent)
}

function* listing(
  local: Readable,
  collection: string,
  query: ListQuery,
  isWanted: (() => boolean) | undefined,
): Work<Selection> {
  const selection = yield* local.selecting(collection, query, undefined, isWanted)
  const idle = yield* findIdle(local, collection, query, selection)
  return idle.length === 0 ? selection : withIgnored(selection, [...(selection.ignored ?? []), ...idle])
}

function* readExplanation(
  local: Readable,
  collection: string,
  query: ListQuery,
): Work<Reading<Explanation | undefined>> {
  const isCurrent = hasRelations(query) ? unchanged(local) : unchangedTable(local, collection)
  if (local.kindOf(collection) !== 'collection') return reading(local, undefined, isCurrent)
  if (local.prepare) yield* local.prepare(collection, hasRelations(query))
  return reading(local, yield* explainList(local, collection, query), isCurrent)
}

function* readRelated(
  local: Readable,
  collection: string,
  row: Row | undefined,
  relations: Relations,
): Work<Reading<Row | undefined>> {
  const isCurrent = hasRelations(relations) ? unchanged(local) : unchangedTable(local, collection)
  if (!row) return reading(local, undefined, isCurrent)
  if (local.prepare) yield* local.prepare(collection, hasRelations(relations))
  const [found] = yield* attachRelations(local, collection, [row], relations)
  return reading(local, found, isCurrent)
}

/** Through the index that keeps such fields unique. */
function* readKeyed(
  local: Readable,
  collection: string,
  field: string,
  text: string,
): Work<Reading<Row | undefined>> {
  const isCurrent = unchangedTable(local, collection)
  const column = anyCaseColumn(field)
  const key = anyCaseKey(text)
  const lookup = yield* waitForLookup(() => local.keyed(collection, column))
  const all = local.rows(collection) ?? []
  const rows = lookup ? lookup(key) : all.filter((row) => column.keysOf(row).includes(key))
  const place = (row: Row) => local.table(collection)?.positionOfRow(row) ?? 0
  const [first] = rows.length > 1 ? rows.toSorted((a, b) => place(a) - place(b)) : rows
  return reading(local, rows.find((row) => row[field] === text) ?? first, isCurrent)
}

/** If others may change the data, they do so unseen: no reading is current or stable. */
function reading<T>(local: Readable, found: T, isUnchanged: () => boolean): Reading<T> {
  const { whole = local } = local
  if (!whole.isOwned) return { found, isStable: never }
  return {
    found,
    isCurrent: () => whole.isOwned && isUnchanged(),
    isStable: () => whole.isOwned,
  }
}

function never(): boolean {
  return false
}

/** With relations, any other collection may contribute to the answer. */
function unchanged(local: Readable): () => boolean {
  const { whole = local } = local
  const { version } = whole
  return () => whole.version === version
}

/** Compares versions: a reference to the table would keep all rows of a replaced file in memory. */
function unchangedTable(local: Readable, collection: string): () => boolean {
  const { whole = local } = local
  const version = whole.table(collection)?.version
  return () => whole.table(collection)?.version === version
}
