import { LONG } from '../kernel/json/json-size.ts'
import { isObject, setField } from '../kernel/json/values.ts'
import { Database, type TableSource } from './data/database.ts'
import { namesIn } from './data/fields.ts'
import { findEntry, lookupKeys } from './data/lookup.ts'
import { Table } from './data/table.ts'
import { explainList, findIdle, findIdleOnItem } from './explain-list.ts'
import { idOf } from './id-of.ts'
import { EVERY_ROW, select } from './query/select.ts'
import type { FoundByKind, Listing, Question, QuestionKind, ReadOptions, ReadResult } from './question.ts'
import { isShaped, joinRows } from './relations/join-rows.ts'
import { isChildOf } from './relations/relations.ts'
import { selectIn } from './relations/select-by-parents.ts'
import { anyCaseColumn, anyCaseKey } from './rules/compiled-rules.ts'
import { limitTo } from './rules/reachable-rows.ts'
import { rightsIn } from './rules/rights.ts'
import { type Owner, TrackedRead } from './tracked-read.ts'
import type { Data, Ignored } from './types.ts'

export async function readQuestion<K extends QuestionKind>(
  owner: Owner,
  question: Question<K>,
  { access }: ReadOptions,
): Promise<ReadResult<FoundByKind[K]>> {
  const snapshot = new TrackedRead(owner)
  const source = access ? limitTo(snapshot, access) : snapshot
  const read: Readers[K] = READERS[question.kind]
  const ignored: Ignored[] = []
  const found = await read(source, question, { snapshot, access, ignored })
  snapshot.database = NOTHING
  const { touched } = snapshot
  return { found, ignored, isCurrent: snapshot.isCurrent.bind(snapshot), touched }
}

const NOTHING = new Database(new Map())

interface Context extends ReadOptions {
  readonly snapshot: TrackedRead
  readonly ignored: Ignored[]
}

type Readers = {
  readonly [K in QuestionKind]: (
    source: TableSource,
    question: Question<K>,
    context: Context,
  ) => Promise<FoundByKind[K]>
}

const READERS: Readers = {
  async item(source, { collection, id, relations, within, filters }, { snapshot, access, ignored }) {
    const table = await source.table(collection)
    const entry = table && (await findEntry(table, idOf(collection, source.naming), id))
    if (!entry || (within && !isChildOf(entry.row, within.key, within.id))) return undefined
    const hasShape = relations !== undefined && isShaped(relations)
    if (!hasShape && !filters) {
      const dependsOnParents = access && rightsIn(access, collection).read.via.length > 0
      if (!dependsOnParents) snapshot.touchRow(collection, entry.row)
      return entry.row
    }
    const query = { ...EVERY_ROW, ...relations, where: filters ?? [] }
    ignored.push(...(await findIdleOnItem(source, collection, query)))
    return hasShape ? (await joinRows(source, collection, [entry.row], relations)).at(0) : entry.row
  },

  async list(source, { collection, query }, { ignored }) {
    const table = await source.table(collection)
    if (!table) return undefined
    const hasShape = isShaped(query)
    // Only a query that attaches relations can be about fields of parents.
    const selection = hasShape
      ? await selectIn(source, collection, query)
      : await select(table, query, idOf(collection, source.naming))
    const { items, total, window, page, range, envelope, cursor } = selection
    if (selection.ignored) ignored.push(...selection.ignored)
    ignored.push(...(await findIdle(source, collection, query, selection)))
    let rows: Listing['rows'] = items
    if (hasShape) {
      const joined = await joinRows(source, collection, items, query)
      rows = (await joined.sizeUpTo(LONG)) >= LONG ? joined : joined.toArray()
    }
    return { rows, total, window, page, range, envelope, cursor }
  },

  async keyed(source, { collection, field, text }) {
    const find = await lookupKeys(source, collection, anyCaseColumn(field))
    const rows = find(anyCaseKey(text))
    return rows.find((row) => row[field] === text) ?? rows[0]
  },

  async object(source, { name }) {
    return source.object(name)
  },

  async database(source, _, { snapshot, access }) {
    const shown: Data = {}
    snapshot.names()
    for (const [name, part] of snapshot.database.parts) {
      if (part instanceof Table) {
        const table = await source.table(name)
        const isHidden = access && rightsIn(access, name).read.reach === 'none'
        if (table && !isHidden) setField(shown, name, table.rows.items())
      } else if (source.kindOf(name) !== 'object' || (await source.object(name))) setField(shown, name, part)
    }
    return shown
  },

  async explain(source, { collection, query }) {
    return (await source.table(collection)) && explainList(source, collection, query)
  },

  async fields(source, { collection }) {
    const table = await source.table(collection)
    return table && fieldNames(table)
  },

  async names(source, { collection }, { snapshot }) {
    snapshot.names()
    const table = await source.table(collection)
    return table && namesIn(table)
  },
}

/** A sample is enough: names are for suggestions. */
const MOST = { rows: 100, names: 200, levels: 3 } as const

function fieldNames({ rows }: Table): readonly string[] {
  const names = new Set<string>()
  const step = Math.max(1, Math.floor(rows.size / MOST.rows))
  for (let at = 0, seen = 0; at < rows.size && seen < MOST.rows; at += step, seen++) {
    addNames(rows.entryAt(at).item, '', 1, names)
  }
  return [...names]
}

function addNames(value: unknown, prefix: string, level: number, names: Set<string>): void {
  if (!isObject(value)) return
  for (const name of Object.keys(value)) {
    if (names.size >= MOST.names) return
    if (prefix !== '' && name.includes('.')) continue
    names.add(prefix + name)
    if (level < MOST.levels) addNames(value[name], `${prefix}${name}.`, level + 1, names)
  }
}
