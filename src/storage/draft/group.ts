import type { Work } from '../../work/in-slices.ts'
import type { Change, ChangeKind, OutcomeByKind, WriteOptions } from '../change.ts'
import type { Commit } from '../commit.ts'
import type { CompiledRules } from '../rules/compiled-rules.ts'
import { applyChange } from './apply-change.ts'
import type { Draft } from './draft.ts'

/** A change that waits to be committed together with others. */
export interface Waiting {
  /** Applies the change to a draft. May be called again with another draft. */
  apply(draft: Draft): Work<void>
  readonly note: unknown
  done(): void
  fail(reason: unknown): void
}

/** The result of a group, if it is committed. */
export interface Prepared {
  readonly commits: readonly Commit[]
  /** Errors of individual changes in the group; only their callers see them. */
  readonly refusals: ReadonlyMap<Waiting, unknown>
}

export const NOTHING: Prepared = { commits: [], refusals: new Map() }

/**
 * Resolves once the change is committed.
 * @param rules what changes have to obey when it is applied
 * @param join takes it into a group
 */
export function committed<K extends ChangeKind>(
  change: Change<K>,
  options: WriteOptions,
  rules: () => CompiledRules | undefined,
  join: (waiting: Waiting) => void,
): Promise<OutcomeByKind[K]> {
  return new Promise((resolve, reject) => {
    let outcome: OutcomeByKind[K]
    join({
      *apply(draft) {
        outcome = yield* applyChange(draft, change, options, rules())
      },
      note: options.note,
      done: () => resolve(outcome),
      fail: reject,
    })
  })
}

/** Applies the changes to the draft, each one entirely or not at all. */
export function* prepare(group: readonly Waiting[], draft: Draft, wantsEffects: boolean): Work<Prepared> {
  const commits: Commit[] = []
  const refusals = new Map<Waiting, unknown>()
  for (const waiting of group) {
    try {
      yield* waiting.apply(draft)
      const names = draft.touchedNames()
      const effects = wantsEffects && names.length > 0 ? yield* draft.effects() : undefined
      draft.settle()
      const { note } = waiting
      if (names.length > 0) {
        commits.push({ names, ...(effects && { effects }), ...(note !== undefined && { note }) })
      }
    } catch (reason) {
      draft.rollBack()
      refusals.set(waiting, reason)
    }
    yield
  }
  return { commits, refusals }
}
