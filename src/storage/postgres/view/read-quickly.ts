import type { HiddenNames } from '../../hidden/conceal.ts'
import { fieldText } from '../../index/id-index.ts'
import { keyOf } from '../../query/key-of.ts'
import type { FoundByKind, Question, QuestionKind } from '../../question.ts'
import { isShaped } from '../../relations/join-rows.ts'
import { isChildOf } from '../../relations/relations.ts'
import type { Row } from '../../types.ts'
import type { Catalogue } from '../layout/catalog.ts'
import { beginning } from '../layout/clean-text.ts'
import type { Tables } from '../layout/tables.ts'
import type { Sql } from '../link/sql.ts'
import { parseRow } from './parse-row.ts'

/** What was found, and the version of the data that it was found in. */
export interface Answer<T> {
  readonly found: T
  readonly version: number
}

export interface Quickly {
  readonly ask: Sql['query']
  readonly tables: Tables
  /** As it was last read. It may be old: then this finds nothing. */
  readonly catalogue: Catalogue | undefined
  readonly idName: string
  readonly hidden: HiddenNames
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
  async item({ ask, tables, catalogue, idName, hidden }, { collection, id, relations, within }) {
    const resource = catalogue?.resources.get(collection)
    const key = keyOf(id)
    if (resource?.kind !== 'collection' || key === undefined || (relations && isShaped(relations))) {
      return undefined
    }
    const found = await ask<{ version: string; catalog: string; body: string | null }>(
      `SELECT s.version, s.catalog, c.body FROM ${tables.state} s
       LEFT JOIN ${tables.of(resource.rid)} c ON c.id = $1 ORDER BY c.pos`,
      [beginning(key)],
    )
    if (Number(found[0]?.catalog) !== catalogue?.generation) return undefined
    const rows = found.map(({ body }): Row | undefined =>
      body === null ? undefined : parseRow(body, hidden.get(collection) ?? []),
    )
    const row = rows.find((one) => fieldText(one, idName) === key)
    const isIt = row && (!within || isChildOf(row, within.key, within.id))
    return { found: isIt ? row : undefined, version: Number(found[0]?.version) }
  },
}
