import { findEntry, lookupKeys } from '../data/lookup.ts'
import { Table } from '../data/table.ts'
import { isLongList } from '../json/pretty-json.ts'
import { withIgnored } from '../query/with-ignored.ts'
import type { FoundByKind, Question, QuestionKind, Reading } from '../question.ts'
import { isShaped, joinRows } from '../relations/join-rows.ts'
import { isChildOf } from '../relations/relations.ts'
import { selectIn } from '../relations/select-by-parents.ts'
import { anyCaseColumn, anyCaseKey } from '../rules/columns.ts'
import type { Data } from '../types.ts'
import { explainList, findIdle } from './explain-list.ts'
import { fieldNames } from './field-names.ts'
import type { Snapshot } from './snapshot.ts'

type Readers = {
  readonly [K in QuestionKind]: (
    snapshot: Snapshot,
    question: Question<K>,
    isWanted: (() => boolean) | undefined,
  ) => Promise<FoundByKind[K]>
}

/** Answers a question from the data of one moment. */
export async function readQuestion<K extends QuestionKind>(
  snapshot: Snapshot,
  question: Question<K>,
  isWanted?: () => boolean,
): Promise<Reading<FoundByKind[K]>> {
  const read: Readers[K] = READERS[question.kind]
  return { found: await read(snapshot, question, isWanted), isCurrent: () => snapshot.isCurrent }
}

const READERS: Readers = {
  async item(snapshot, { collection, id, relations, within }) {
    const table = await snapshot.table(collection)
    const entry = table && (await findEntry(table, snapshot.naming.id, id))
    if (!entry || (within && !isChildOf(entry.row, within.key, within.id))) return undefined
    if (!relations || !isShaped(relations)) {
      snapshot.touchRow(collection, entry)
      return entry.row
    }
    return (await joinRows(snapshot, collection, [entry.row], relations)).at(0)
  },

  async list(snapshot, { collection, query }, isWanted) {
    if (snapshot.kindOf(collection) !== 'collection') return undefined
    const selection = await selectIn(snapshot, collection, query, { isWanted })
    const idle = await findIdle(snapshot, collection, query, selection)
    const { items, ...head } =
      idle.length === 0 ? selection : withIgnored(selection, [...(selection.ignored ?? []), ...idle])
    if (!isShaped(query)) return { rows: items, ...head }
    const joined = await joinRows(snapshot, collection, items, query)
    return { rows: isLongList(joined) ? joined : joined.toArray(), ...head }
  },

  /** Through the index that keeps such fields unique. */
  async keyed(snapshot, { collection, field, text }) {
    const find = await lookupKeys(snapshot, collection, anyCaseColumn(field))
    const rows = find(anyCaseKey(text))
    return rows.find((row) => row[field] === text) ?? rows[0]
  },

  async object(snapshot, { name }) {
    return snapshot.object(name)
  },

  async database(snapshot) {
    const shown: Data = {}
    for (const [name, part] of snapshot.parts) {
      if (part instanceof Table) {
        const table = await snapshot.table(name)
        if (table && !snapshot.isHidden(name)) put(shown, name, table.rows.items())
      } else if (snapshot.kindOf(name) !== 'object' || snapshot.object(name)) put(shown, name, part)
    }
    return shown
  },

  async explain(snapshot, { collection, query }) {
    if (snapshot.kindOf(collection) !== 'collection') return undefined
    return explainList(snapshot, collection, query)
  },

  async fields(snapshot, { collection }) {
    const table = await snapshot.table(collection)
    return table && fieldNames(table)
  },
}

/** Defined rather than assigned: a collection may be called `__proto__`. */
function put(data: Data, name: string, value: unknown): void {
  Object.defineProperty(data, name, { value, enumerable: true, configurable: true, writable: true })
}
