import type { RequestHandler } from 'express'
import type { Store } from '../storage/local/store.ts'
import type { Apply } from '../storage/local/write-queue.ts'
import type { AnswerCache } from './answer/answer-cache.ts'

/** What every part of the router works with. */
export interface RouterContext {
  readonly store: Store
  /** Writes are answered as if they had happened, and nothing is stored. */
  readonly isFake: boolean
  /** A deleted row takes the rows that depend on it with it. */
  readonly cascade: boolean
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
    }
  | undefined

/** Does the write, or answers as if it had been done. */
export async function change<T>({ store, isFake }: RouterContext, apply: Apply<T>): Promise<T> {
  return isFake ? store.pretend(apply) : store.write(apply)
}
