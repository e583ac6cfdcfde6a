import { fieldText } from '../../index/id-index.ts'
import { keyOf } from '../../query/key-of.ts'
import { mayNeedEngine } from '../../query/select-by-pattern.ts'
import type { FoundByKind, Question, QuestionKind } from '../../question.ts'
import { hasRelations, isShaped } from '../../relations/join-rows.ts'
import { isChildOf } from '../../relations/relations.ts'
import type { Row } from '../../types.ts'
import type { Catalogue } from '../layout/catalog.ts'
import { beginning } from '../layout/clean-text.ts'
import type { Tables } from '../layout/tables.ts'
import type { AskQuickly } from '../link/sql.ts'
import { FetchedData, type Wanted } from './fetched-data.ts'
import { isShort } from './is-short.ts'
import { NeedsTransaction, OneStatement } from './one-statement.ts'
import { parseRow } from './parse-row.ts'
import { readQuestion } from './read-question.ts'
import type { Admit } from './select-rows.ts'

/** What was found, and the version of the data that it was found in. */
export interface Answer<T> {
  readonly found: T
  readonly version: number
}

export interface Quickly extends Wanted {
  readonly ask: AskQuickly
  readonly tables: Tables
  /** As it was last read. It may be old: then this finds nothing. */
  readonly catalogue: Catalogue | undefined
  /** Whether there is an index of a slot. */
  readonly isIndexed: (rid: number, slot: string) => boolean
  /** Called with what was read. */
  readonly note: (data: FetchedData) => void
}

type Readers = {
  readonly [K in QuestionKind]?: (
    quickly: Quickly,
    question: Question<K>,
  ) => Promise<Answer<FoundByKind[K]> | undefined>
}

/** Answers with one statement, which is one moment without a transaction. Undefined if that takes more. */
export async function readQuickly<K extends QuestionKind>(
  quickly: Quickly,
  question: Question<K>,
): Promise<Answer<FoundByKind[K]> | undefined> {
  const read: Readers[K] = READERS[question.kind]
  return read?.(quickly, question)
}

const READERS: Readers = {
  async item({ ask, tables, catalogue, naming, hidden }, { collection, id, relations, within }) {
    const resource = catalogue?.resources.get(collection)
    const key = keyOf(id)
    if (resource?.kind !== 'collection' || key === undefined || (relations && isShaped(relations))) {
      return undefined
    }
    const found = await ask<{ version: string; catalog: string; body: string | null }>({
      isSteady: true,
      text: `SELECT s.version, s.catalog, c.body FROM ${tables.state} s
       LEFT JOIN ${tables.of(resource.rid)} c ON c.id = $1 ORDER BY c.pos`,
      values: [beginning(key)],
    })
    if (Number(found[0]?.catalog) !== catalogue?.generation) return undefined
    const rows = found.map(({ body }): Row | undefined =>
      body === null ? undefined : parseRow(body, hidden.get(collection) ?? []),
    )
    const row = rows.find((one) => fieldText(one, naming.id) === key)
    const isIt = row && (!within || isChildOf(row, within.key, within.id))
    return { found: isIt ? row : undefined, version: Number(found[0]?.version) }
  },

  async list({ ask, tables, catalogue, isIndexed, note, ...wanted }, question) {
    const resource = catalogue?.resources.get(question.collection)
    const { query } = question
    if (!catalogue || resource?.kind !== 'collection' || hasRelations(query) || mayNeedEngine(query))
      return undefined
    const admit: Admit = (meant, slots, total) => {
      const areIndexed = [...slots].every((slot) => isIndexed(resource.rid, slot))
      if (!isShort(meant, resource, { areIndexed, total })) throw new NeedsTransaction()
    }
    const sql = new OneStatement(ask, tables, resource)
    const data = new FetchedData(sql, tables, catalogue, { ...wanted, admit })
    try {
      const found = await readQuestion(data, question, {})
      note(data)
      return { found, version: sql.version }
    } catch (error) {
      if (error instanceof NeedsTransaction) return undefined
      throw error
    }
  },
}
