import type { TableSource } from '../../core/engine/data/database.ts'
import type { Commit, Effect } from '../../core/engine/data/store.ts'
import type { History } from '../../core/engine/history.ts'
import { idOf } from '../../core/engine/id-of.ts'
import { readableEffects } from '../../core/engine/rules/readable-effects.ts'
import type { Access } from '../../core/engine/rules/rights.ts'
import type { Naming, Row } from '../../core/engine/types.ts'
import type { ShownChange } from '../../core/kernel/catalogue/shown-change.ts'

export async function readableCommit(
  source: TableSource,
  commit: Commit,
  access: Access,
): Promise<Commit | undefined> {
  const { effects = [] } = commit
  const readable = await readableEffects(source, effects, access)
  if (readable.length === 0) return undefined
  // The URL may name unreadable rows.
  return { ...commit, effects: readable, meta: rowsIn(readable) === rowsIn(effects) ? commit.meta : {} }
}

function rowsIn(effects: readonly Effect[]): number {
  return effects.reduce((sum, effect) => sum + (effect.kind === 'rows' ? effect.rows.length : 1), 0)
}

export function showCommit(commit: Commit, history: History, naming: Naming): object {
  const { version, time, meta, undoes, redoes } = commit
  return {
    version,
    at: new Date(time).toISOString(),
    method: meta.method ?? null,
    url: meta.url ?? null,
    session: meta.session ?? null,
    ...(!undoes && !redoes && history.isUndone(version) && { undone: true }),
    ...(undoes && { undoes }),
    ...(redoes && { redoes }),
    changes: changesIn(commit, naming),
  }
}

export function showChanges(commit: Commit, naming: Naming): readonly object[] {
  const { version } = commit
  return changesIn(commit, naming).map(({ resource, id, op, after }) => ({
    version,
    resource,
    id,
    op,
    ...(after && { row: after }),
  }))
}

function changesIn({ effects = [] }: Commit, naming: Naming): readonly ShownChange[] {
  return effects.flatMap((effect) => rowChanges(effect, idOf(effect.name, naming)))
}

function rowChanges(effect: Effect, id: string): readonly ShownChange[] {
  const resource = effect.name
  if (effect.kind === 'object') {
    const { before, after } = effect
    return [{ resource, id: null, op: 'update', before, after }]
  }
  const idOf = (row: Row): unknown => row[id] ?? null
  const made: readonly ShownChange[] = effect.made
    ? [{ resource, id: null, op: effect.made === 'created' ? 'create' : 'delete' }]
    : []
  const rows = (['delete', 'update', 'create'] as const).flatMap((op) =>
    effect.rows.flatMap(({ before, after }): readonly ShownChange[] => {
      if (op !== opOf(before, after)) return []
      const row = after ?? before
      return row ? [{ resource, id: idOf(row), op, ...(before && { before }), ...(after && { after }) }] : []
    }),
  )
  return [...made, ...rows]
}

function opOf(before: Row | undefined, after: Row | undefined): ShownChange['op'] {
  if (before === undefined) return 'create'
  return after === undefined ? 'delete' : 'update'
}
