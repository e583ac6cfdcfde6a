import type { Change, ChangeKind, OutcomeByKind, WriteOptions } from './change.ts'
import type { FoundByKind, Question, QuestionKind, ReadOptions, ReadResult } from './question.ts'
import type { Row } from './types.ts'

export type HookAction = 'create' | 'update' | 'delete'

export interface RowEvent {
  readonly resource: string
  readonly action: HookAction
  /** As it will be, or is, stored; of a deletion, as it was. */
  readonly row: Row
  /** The row before an update. */
  readonly old?: Row | undefined
}

/** The data, with the writes of a transaction so far. */
export interface DataAccess {
  kindOf(name: string): 'collection' | 'object' | undefined
  read<K extends QuestionKind>(
    question: Question<K>,
    options?: ReadOptions,
  ): Promise<ReadResult<FoundByKind[K]>>
  write<K extends ChangeKind>(change: Change<K>, options?: WriteOptions): Promise<OutcomeByKind[K]>
  /** Resolves once everything that was begun has ended. */
  idle(): Promise<void>
}

/** Functions that run with every change of rows. Undo, redo, reset and whatever else replaces the data run none. */
export interface Hooks {
  has(when: 'before' | 'after', resource: string, action: HookAction): boolean
  /** Inside the commit. Resolves with the row to store instead; a rejection refuses the whole change. */
  before(event: RowEvent, inside: DataAccess, options: WriteOptions): Promise<Row>
  /** Once the change is durable. Never rejects. */
  after(events: readonly RowEvent[], options: WriteOptions): Promise<void>
}
