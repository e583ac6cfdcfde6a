import type { Effect } from '../../storage/commit.ts'
import type { History } from '../../storage/history/history.ts'
import type { Recorded } from '../../storage/history/recorded.ts'
import type { Naming, Row } from '../../storage/types.ts'
import { seenEffects } from '../../storage/view/seen-effects.ts'
import type { View } from '../../storage/view.ts'

/** What happened to one row, or to a single object, which has no id. */
interface RowChange {
  readonly resource: string
  readonly id: unknown
  readonly op: 'create' | 'update' | 'delete'
  readonly before?: Row
  readonly after?: Row
}

/** A change as far as a client may know of it; undefined if it sees no row of it. */
export function recordedSeenBy(recorded: Recorded, view: View): Recorded | undefined {
  const { effects = [] } = recorded
  const seen = seenEffects(effects, view)
  if (seen.length === 0) return undefined
  // The URL may name rows that the client cannot see.
  return { ...recorded, effects: seen, note: rowsIn(seen) === rowsIn(effects) ? recorded.note : {} }
}

function rowsIn(effects: readonly Effect[]): number {
  const countOf = (effect: Effect) =>
    effect.kind === 'rows' ? effect.removed.length + effect.added.length + effect.replaced.length : 1
  return effects.reduce((sum, effect) => sum + countOf(effect), 0)
}

/** An entry of `GET /__history`. */
export function showRecorded(recorded: Recorded, history: History, naming: Naming): object {
  const { version, time, note, undoes, redoes } = recorded
  return {
    version,
    at: new Date(time).toISOString(),
    method: note.method ?? null,
    url: note.url ?? null,
    session: note.session ?? null,
    ...(!undoes && !redoes && history.isUndone(version) && { undone: true }),
    ...(undoes && { undoes }),
    ...(redoes && { redoes }),
    changes: changesIn(recorded, naming),
  }
}

/** Entries of `GET /__changes`: what each row is now. */
export function showChanges(recorded: Recorded, naming: Naming): readonly object[] {
  const { version } = recorded
  return changesIn(recorded, naming).map(({ resource, id, op, after }) => ({
    version,
    resource,
    id,
    op,
    ...(after && { row: after }),
  }))
}

function changesIn({ effects = [] }: Recorded, { id }: Naming): readonly RowChange[] {
  return effects.flatMap((effect) => rowChanges(effect, id))
}

function rowChanges(effect: Effect, id: string): readonly RowChange[] {
  const resource = effect.name
  if (effect.kind === 'object') {
    const { before, after } = effect
    return [{ resource, id: null, op: 'update', before, after }]
  }
  const { removed, replaced, added } = effect
  const idOf = (row: Row): unknown => row[id] ?? null
  return [
    ...removed.map(({ row }) => ({ resource, id: idOf(row), op: 'delete' as const, before: row })),
    ...replaced.map(({ before, after }) => ({
      resource,
      id: idOf(after),
      op: 'update' as const,
      before,
      after,
    })),
    ...added.map(({ row }) => ({ resource, id: idOf(row), op: 'create' as const, after: row })),
  ]
}
