import type { ReadOptions } from '../engine.ts'
import type { HiddenNames } from '../hidden/conceal.ts'
import type { FoundByKind, Question, QuestionKind } from '../question.ts'
import type { Naming } from '../types.ts'
import { IndexMaker } from './index-maker.ts'
import type { CatalogueReader } from './layout/catalog.ts'
import type { Tables } from './layout/tables.ts'
import { againIfGone } from './link/again-if-gone.ts'
import type { Connections } from './link/connections.ts'
import type { AskQuickly, Sql } from './link/sql.ts'
import { isConflict, isGone } from './link/unavailable.ts'
import { FetchedData } from './view/fetched-data.ts'
import { readQuestion } from './view/read-question.ts'
import { type Answer, readQuickly } from './view/read-quickly.ts'

export interface ReadsOptions {
  readonly connections: Connections
  readonly tables: Tables
  readonly reader: CatalogueReader
  readonly naming: Naming
  readonly hidden: () => HiddenNames
}

/** Answers questions: by one statement where that is enough, else in a transaction. Indexes are made of what is asked for. */
export class Reads {
  readonly #options: ReadsOptions
  readonly #indexes: IndexMaker
  readonly #closing = new AbortController()

  constructor(options: ReadsOptions) {
    const { connections, tables } = options
    this.#options = options
    const { signal } = this.#closing
    this.#indexes = new IndexMaker((text, values) => connections.work(text, values, signal), tables)
  }

  async answer<K extends QuestionKind>(
    question: Question<K>,
    options: ReadOptions,
  ): Promise<Answer<FoundByKind[K]>> {
    const quick = options.view ? undefined : await this.#answerQuickly(question)
    if (quick) return quick
    return this.inSnapshot(async (data) => ({
      found: await readQuestion(data, question, options),
      version: data.version,
    }))
  }

  /** Works with the data of one moment. */
  inSnapshot<T>(work: (data: FetchedData) => Promise<T>): Promise<T> {
    const { connections, tables, reader, naming, hidden } = this.#options
    const inSnapshot = async (sql: Sql) => {
      const catalogue = await reader.read(sql)
      const data = new FetchedData(sql, tables, catalogue, { naming, hidden: hidden() })
      const found = await work(data)
      this.#indexes.note(data)
      return found
    }
    return againIfGone(() => connections.inSnapshot(inSnapshot))
  }

  /** An index that is being made may take minutes: the database finishes it alone. */
  close(): Promise<unknown> {
    this.#closing.abort()
    return this.#indexes.close()
  }

  async #answerQuickly<K extends QuestionKind>(
    question: Question<K>,
  ): Promise<Answer<FoundByKind[K]> | undefined> {
    const { connections, tables, reader, naming, hidden } = this.#options
    const ask: AskQuickly = (statement) => connections.askQuickly(statement)
    const note = (data: FetchedData) => this.#indexes.note(data)
    const isIndexed = (rid: number, slot: string) => this.#indexes.has(rid, slot)
    const quickly = { ask, tables, catalogue: reader.last, naming, hidden: hidden(), isIndexed, note }
    return readQuickly(quickly, question).catch((error: unknown) => {
      // Everything was replaced since, or is being replaced.
      if (isGone(error) || isConflict(error)) return undefined
      throw error
    })
  }
}
