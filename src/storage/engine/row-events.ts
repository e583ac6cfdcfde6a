import { effectsBetween } from '../changes/effects.ts'
import type { Database } from '../data/database.ts'
import type { RowEvent } from '../hooks.ts'

/** What happened to which row. */
export async function eventsBetween(before: Database, after: Database): Promise<readonly RowEvent[]> {
  const { effects } = await effectsBetween(before, after)
  return effects.flatMap((effect): readonly RowEvent[] => {
    const { name: resource } = effect
    if (effect.kind === 'object')
      return [{ resource, action: 'update', row: effect.after, old: effect.before }]
    return effect.rows.flatMap(({ before: old, after: row }): readonly RowEvent[] => {
      if (row !== undefined) return [{ resource, action: old === undefined ? 'create' : 'update', row, old }]
      return old === undefined ? [] : [{ resource, action: 'delete', row: old }]
    })
  })
}
