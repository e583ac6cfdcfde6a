import { Turns } from '../kernel/util/turns.ts'
import type { Change, ChangeKind, OutcomeByKind, WriteOptions } from './change.ts'
import { applyChange } from './changes/apply-change.ts'
import { Draft } from './changes/draft.ts'
import { type Context, isRowChange } from './changes/prepare-group.ts'
import type { Database } from './data/database.ts'
import type { Table } from './data/table.ts'
import type { DataAccess, Hooks } from './hooks.ts'
import type { FoundByKind, Question, QuestionKind, ReadOptions, ReadResult } from './question.ts'
import { readQuestion } from './read-question.ts'
import type { Row } from './types.ts'

interface TransactionContext extends Pick<Context, 'database' | 'naming' | 'rules' | 'createId'> {
  readonly hooks: Hooks | undefined
}

/**
 * A next version of the data that nobody else sees. It reads what it wrote; a write that is refused leaves nothing
 * behind. One thing at a time, in order.
 */
export class Transaction implements DataAccess {
  readonly #context: TransactionContext
  readonly #base: Database
  readonly #draft: TrackedDraft
  readonly #turns = new Turns()
  #isOpen = true

  constructor(context: TransactionContext, base = context.database, draft?: TrackedDraft) {
    this.#context = context
    this.#base = base
    this.#draft = draft ?? new TrackedDraft(base, context.naming, context.createId)
  }

  get database(): Database {
    return this.#draft.database
  }

  get hasChanges(): boolean {
    return this.database !== this.#base
  }

  kindOf(name: string): 'collection' | 'object' | undefined {
    return this.#draft.kindOf(name)
  }

  read<K extends QuestionKind>(
    question: Question<K>,
    options: ReadOptions = {},
  ): Promise<ReadResult<FoundByKind[K]>> {
    return this.#take(async () => {
      const reading = await readQuestion(this.#draft, question, options)
      for (const name of reading.touched.keys()) this.#draft.used.add(name)
      return reading
    })
  }

  write<K extends ChangeKind>(requested: Change<K>, options: WriteOptions = {}): Promise<OutcomeByKind[K]> {
    const change: Change = requested as Change
    return this.#take(async () => {
      if (!isRowChange(change)) throw new TypeError(`${change.kind} cannot be part of a transaction.`)
      const { rules, hooks } = this.#context
      const { database, coming } = this.#draft
      // Code inside of this write cannot wait for its end.
      const inside = new Transaction(this.#context, this.#base, this.#draft)
      const running = hooks && { hooks, inside, options }
      try {
        const apply = () => applyChange(this.#draft, change, options, rules, running)
        return (await inside.run(apply)) as OutcomeByKind[K]
      } catch (error) {
        // A hook may have failed while one of its own writes still runs.
        await inside.#turns.take(async () => {})
        Object.assign(this.#draft, { database, coming })
        throw error
      }
    })
  }

  /** The same changes of newer data; undefined if that differs in what was read or written here. */
  on(newest: Database): Database | undefined {
    const before = this.#base
    let next = newest
    for (const name of this.#draft.used) {
      if (newest.parts.get(name) !== before.parts.get(name)) return undefined
    }
    for (const [name, part] of this.database.parts) {
      if (part === before.parts.get(name)) continue
      if (newest.parts.get(name) !== before.parts.get(name)) return undefined
      next = next.with(name, part)
    }
    return next
  }

  /** Afterwards, reads and writes are refused. */
  async run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    try {
      return await work(this)
    } finally {
      this.#isOpen = false
    }
  }

  idle(): Promise<void> {
    return this.#turns.idle()
  }

  #take<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.take(async () => {
      if (this.#isOpen) return work()
      throw new Error(
        'The data was used after its function had ended. Wait for what you do with it: await db.…',
      )
    })
  }
}

class TrackedDraft extends Draft {
  readonly used = new Set<string>()

  override table(name: string): Table | undefined {
    this.used.add(name)
    return super.table(name)
  }

  override object(name: string): Row | undefined {
    this.used.add(name)
    return super.object(name)
  }
}
