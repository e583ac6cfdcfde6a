import { StorageError } from '../../errors.ts'
import { Pace } from '../../work/pace.ts'
import type { Change, ChangeKind, WriteOptions } from '../change.ts'
import type { Commit, Effect } from '../data/commit.ts'
import { Database } from '../data/database.ts'
import type { Next } from '../data/store.ts'
import { concealDatabase, type HiddenNames } from '../hidden/conceal.ts'
import type { History } from '../history/history.ts'
import { MOST_BYTES } from '../history/timeline.ts'
import type { CompiledRules } from '../rules/compiled-rules.ts'
import type { Naming } from '../types.ts'
import { applyChange } from './apply-change.ts'
import { type CreateId, Draft } from './draft.ts'
import { applyEffects, bytesOf, effectsBetween, invert } from './effects.ts'

/** A change that waits to be committed together with others. */
export interface Waiting {
  readonly change: Change
  readonly options: WriteOptions
  readonly resolve: (outcome: unknown) => void
  readonly reject: (reason: unknown) => void
}

/** What changes are applied to, and what they have to obey. */
export interface Context {
  readonly database: Database
  readonly naming: Naming
  readonly history: History
  readonly rules: CompiledRules | undefined
  readonly hidden: HiddenNames
  readonly createId: CreateId | undefined
  readonly now: () => number
}

export interface Prepared {
  /** Undefined if nothing changes. */
  readonly next: Next | undefined
  /** Tells who waits what came of it: the outcome, its own refusal, or the failure of all. */
  settle(failure?: unknown): Promise<void>
}

/** Applies the changes one after the other, each entirely or not at all. */
export async function prepareGroup(group: readonly Waiting[], context: Context): Promise<Prepared> {
  const pace = new Pace()
  const commits: Commit[] = []
  const results: ((failure: unknown) => void)[] = []
  let { database } = context
  for (const { change, options, resolve, reject } of group) {
    try {
      const version = context.history.version + commits.length + 1
      const made = await make(change, options, { ...context, database }, version)
      database = made.database
      if (made.commit) commits.push(made.commit)
      results.push((failure) => (failure === undefined ? resolve(made.outcome) : reject(failure)))
    } catch (reason) {
      results.push(() => reject(reason))
    }
    if (pace.isDue) await pace.turn()
  }
  const isChanged = database !== context.database || commits.length > 0
  return {
    next: isChanged ? { before: context.database, after: database, commits } : undefined,
    async settle(failure) {
      for (const tell of results) {
        tell(failure)
        // Each of them then writes its response.
        if (pace.isDue) await pace.turn()
      }
    },
  }
}

interface Made {
  readonly database: Database
  readonly outcome: unknown
  /** Absent where nothing changed that anybody could see. */
  readonly commit?: Commit
}

/** Whether a change is made row by row: not of everything, and not by what the history says. */
export function isRowChange(kind: ChangeKind): boolean {
  return kind !== 'replace-database' && kind !== 'move'
}

function make(change: Change, options: WriteOptions, context: Context, version: number): Promise<Made> {
  const common = { version, time: context.now(), meta: options.meta ?? {} }
  if (change.kind === 'replace-database') return replaceAll(change, options, context, common)
  return change.kind === 'move' ? move(change, context, common) : changeRows(change, options, context, common)
}

type Common = Pick<Commit, 'version' | 'time' | 'meta'>

async function changeRows<K extends Exclude<ChangeKind, 'replace-database' | 'move'>>(
  change: Change<K>,
  options: WriteOptions,
  { database, naming, createId, rules }: Context,
  common: Common,
): Promise<Made> {
  const draft = new Draft(database, naming, createId)
  const outcome = await applyChange(draft, change, options, rules)
  const effects = await effectsBetween(database, draft.database)
  if (effects.length === 0) return { database: draft.database, outcome }
  const commit = { ...common, ...(await measured(effects)), top: common.version }
  return { database: draft.database, outcome, commit }
}

async function move(
  { direction, to }: Change<'move'>,
  { database, history }: Context,
  common: Common,
): Promise<Made> {
  const { changes, top } = history.wayTo(to, direction)
  const versions = changes.map(({ version }) => version)
  if (changes.length === 0) return { database, outcome: versions }
  let moved = database
  for (const { effects = [] } of changes) {
    moved = await applyEffects(moved, direction === 'undo' ? invert(effects) : effects).catch(explainConflict)
  }
  const effects = await effectsBetween(database, moved)
  const moves = direction === 'undo' ? { undoes: versions } : { redoes: versions }
  const commit = { ...common, ...(await measured(effects)), ...moves, top }
  return { database: moved, outcome: versions, commit }
}

function explainConflict(cause: unknown): never {
  if (!(cause instanceof StorageError && cause.code === 'CONFLICT')) throw cause
  throw new StorageError('UNDO_CONFLICT', cause.message, { cause })
}

async function replaceAll(
  { data }: Change<'replace-database'>,
  { isOutside }: WriteOptions,
  { database, hidden }: Context,
  common: Common,
): Promise<Made> {
  const content = typeof data === 'function' ? data() : data
  const next = concealDatabase(content instanceof Database ? content : Database.of(content), hidden)
  const names = [...new Set([...database.names(), ...next.names()])]
  const commit: Commit = {
    ...common,
    names,
    effects: undefined,
    bytes: 0,
    top: common.version,
    ...(isOutside && { isOutside }),
  }
  return { database: next, outcome: undefined, commit }
}

async function measured(effects: readonly Effect[]): Promise<Pick<Commit, 'names' | 'effects' | 'bytes'>> {
  return { names: effects.map(({ name }) => name), effects, bytes: await bytesOf(effects, MOST_BYTES) }
}
