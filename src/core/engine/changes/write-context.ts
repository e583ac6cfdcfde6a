import type { WriteOptions } from '../change.ts'
import type { DataAccess, Hooks } from '../hooks.ts'
import type { Access } from '../rules/rights.ts'
import type { RuleCheck } from '../rules/rule-check.ts'
import type { Draft } from './draft.ts'

export interface WriteContext {
  readonly draft: Draft
  readonly options: WriteOptions
  readonly ruling: RuleCheck | undefined
  /** Absent for a client that may do everything. */
  readonly access: Access | undefined
  /** Only in transactions: a write that hooks may run with is one. */
  readonly before: Before | undefined
}

/** The hooks that run before rows are written, inside of one transaction. */
export interface Before {
  readonly hooks: Hooks
  readonly inside: DataAccess
  readonly options: WriteOptions
}
