import { TimeSlice } from '../../kernel/util/pace.ts'
import type { Change, RowChange, WriteOptions } from '../change.ts'
import { Database } from '../data/database.ts'
import type { Commit, PreparedCommit } from '../data/store.ts'
import type { History } from '../history.ts'
import type { CompiledRules } from '../rules/compiled-rules.ts'
import { type ServedFields, servedDatabase } from '../rules/served-fields.ts'
import type { Naming } from '../types.ts'
import { applyChange } from './apply-change.ts'
import { type CreateId, Draft } from './draft.ts'
import { applyEffects, effectsBetween, invert, refuseTakenIds } from './effects.ts'

export interface QueuedChange {
  readonly change: Change
  readonly options: WriteOptions
  /** Ids that a user's generator made for its rows. */
  readonly ids: unknown[]
  readonly resolve: (outcome: unknown) => void
  readonly reject: (reason: unknown) => void
}

export interface Context {
  readonly database: Database
  readonly naming: Naming
  readonly history: History
  readonly rules: CompiledRules | undefined
  readonly fields: ServedFields
  readonly createId: CreateId | undefined
  readonly now: () => number
}

export interface Prepared {
  readonly next: PreparedCommit | undefined
  /** Settles each queued change with its outcome, its own refusal, or this failure. */
  settle(failure?: unknown): Promise<void>
}

export async function prepareGroup(group: readonly QueuedChange[], context: Context): Promise<Prepared> {
  const pace = new TimeSlice()
  const commits: Commit[] = []
  const results: Result[] = []
  const before = context.database
  let after = before
  for (const { change, options, ids, resolve, reject } of group) {
    try {
      const version = context.history.version + commits.length + 1
      const made = await makeChange(change, options, context, after, version, ids)
      after = made.database
      if (made.commit) commits.push(made.commit)
      results.push({ resolve, reject, outcome: made.outcome })
    } catch (refusal) {
      results.push({ resolve, reject, refusal })
    }
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  return {
    next:
      after !== before || commits.length > 0
        ? { before, after, commits, recorded: context.history }
        : undefined,
    async settle(failure) {
      const pace = new TimeSlice()
      for (const result of results) {
        if ('refusal' in result) result.reject(result.refusal)
        else if (failure === undefined) result.resolve(result.outcome)
        else result.reject(failure)
        if (pace.isUsedUp) await pace.yieldToEventLoop()
      }
    },
  }
}

interface Result extends Pick<QueuedChange, 'resolve' | 'reject'> {
  readonly outcome?: unknown
  readonly refusal?: unknown
}

interface AppliedChange {
  readonly database: Database
  readonly outcome: unknown
  readonly commit?: Commit
}

export function isRowChange(change: Change): change is RowChange {
  return !['replace-database', 'transaction', 'move'].includes(change.kind)
}

export async function makeChange(
  change: Change,
  options: WriteOptions,
  context: Context,
  database: Database,
  version: number,
  ids: unknown[] = [],
): Promise<AppliedChange> {
  const common = { version, time: context.now(), meta: options.meta ?? {} }
  if (change.kind === 'move') return move(change, context, database, common)
  if (change.kind === 'replace-database') {
    const data = typeof change.data === 'function' ? await change.data() : change.data
    const next = await servedDatabase(Database.of(data), context.fields)
    const commit = replacement(common, database, next, options.isOutside)
    return { database: next, outcome: undefined, commit }
  }
  const draft = new Draft(database, context.naming, context.createId && keepIds(context.createId, ids))
  let outcome: unknown
  if (change.kind === 'transaction') draft.database = await change.run(database)
  else outcome = await applyChange(draft, change, options, context.rules)
  const { names, effects, bytes } = await effectsBetween(database, draft.database)
  if (change.kind === 'transaction') outcome = effects
  const made = { database: draft.database, outcome }
  // One that is created for its first row comes and goes with that.
  if (names.length === 0 || change.kind === 'create-collection') return made
  const { time, meta } = common
  return { ...made, commit: { version, time, meta, names, effects, bytes, top: version } }
}

/** A generator may count in the data: a change that is made again has the ids that it had, unless they are taken since. */
function keepIds(createId: CreateId, ids: unknown[]): CreateId {
  let next = 0
  return (rows, row, isTaken) => {
    const at = next++
    if (at === ids.length || isTaken(ids[at])) ids[at] = createId(rows, row, isTaken)
    return ids[at]
  }
}

type CommitHead = Pick<Commit, 'version' | 'time' | 'meta'>

export function replacement(
  common: CommitHead,
  before: Database,
  after: Database,
  isOutside = false,
): Commit {
  const names = [...new Set([...before.names(), ...after.names()])]
  const commit = { ...common, names, effects: undefined, bytes: 0, top: common.version }
  return isOutside ? { ...commit, isOutside } : commit
}

async function move(
  { direction, to }: Change<'move'>,
  { history, naming }: Pick<Context, 'history' | 'naming'>,
  database: Database,
  common: CommitHead,
): Promise<AppliedChange> {
  const { changes, top } = history.wayTo(direction, to)
  const versions = changes.map(({ version }) => version)
  if (changes.length === 0) return { database, outcome: versions }
  let moved = database
  for (const { effects: recorded = [] } of changes) {
    const effects = direction === 'undo' ? invert(recorded) : recorded
    if (history.hasGaps) await refuseTakenIds(moved, effects, naming)
    moved = await applyEffects(moved, effects)
  }
  const moves = direction === 'undo' ? { undoes: versions } : { redoes: versions }
  const commit = { ...common, ...(await effectsBetween(database, moved)), ...moves, top }
  return { database: moved, outcome: versions, commit }
}
