import type { RequestHandler } from 'express'
import type { Change, ChangeKind, Engine, OutcomeByKind, WriteOptions } from '../storage/engine.ts'
import type { Row } from '../storage/types.ts'
import type { AnswerCache } from './answer/answer-cache.ts'
import type { Notices } from './explain/notices.ts'

/** What every part of the router works with. */
export interface RouterContext {
  readonly engine: Engine
  /** Writes are answered as if they had happened, and nothing is stored. */
  readonly isFake: boolean
  /** A deleted row takes the rows that depend on it with it. */
  readonly cascade: boolean
  /** A PUT of an item that is not there makes it. */
  readonly upsert: boolean
  /** Parameters that have no effect are refused, unless the client says otherwise. */
  readonly strict: boolean
  /** Says which had none, where they are not refused. */
  readonly notices: Notices
  /** Answers to reads, as they were sent last time. */
  readonly answers: AnswerCache
  /** Compresses what is written to a response; without it somebody else does, or nobody. */
  readonly compress: RequestHandler | undefined
}

/** What a write gives to send; undefined is a 404. */
export type Answer =
  | {
      readonly status?: number
      readonly data: unknown
      /** Where what was made can be found. */
      readonly location?: string
      /** How many rows stood before the one that was removed, for those who asked. */
      readonly place?: number
      /** The row or object as it is now, if the write was about one: its ETag goes with the response. */
      readonly row?: Row
      /** What was deleted, for clients that prefer to get that. */
      readonly removed?: Row | readonly Row[]
      /** How many rows a filter found. */
      readonly total?: number
    }
  | undefined

/** Does the change, or answers as if it had been done. */
export function change<K extends ChangeKind>(
  { engine, isFake }: RouterContext,
  wanted: Change<K>,
  options?: WriteOptions,
): Promise<OutcomeByKind[K]> {
  return engine.write(wanted, isFake ? { ...options, dryRun: true } : options)
}
