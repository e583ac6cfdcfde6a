import type { Dependents } from '../change.ts'
import { dependentsOf } from '../relations/relations.ts'
import { release, ruledWays } from '../rules/reach.ts'
import type { Row } from '../types.ts'
import type { Writing } from './write-rows.ts'

/** Removes rows and their dependents: what rules say, and what is asked for, in some collections or in all. */
export async function removeRows(
  { draft, ruling, guard }: Writing,
  collection: string,
  rows: readonly Row[],
  among: Dependents,
): Promise<void> {
  const waysFrom = ruling && ((parent: string) => ruledWays(ruling, parent, among))
  const { rows: dependents, ruled } = await dependentsOf(draft, collection, rows, among, waysFrom)
  // Rows may depend on others of their own collection.
  const own = [...rows, ...(dependents.get(collection) ?? [])]
  const removed = new Map([[collection, own], ...dependents, [collection, own]])
  // Before any of them goes: what restricts a deletion must not tell of rows that the client may not delete.
  if (guard) {
    for (const [name, gone] of dependents) {
      const asked = gone.filter((row) => !ruled.has(row))
      const by = among === 'all' ? '--cascade' : '_dependent'
      const why = `A row of ${name} depends on what you delete, and would go with it (${by}). Nothing was changed.`
      await guard.checkAll(name, 'delete', asked, why)
    }
  }
  for (const [name, gone] of removed) {
    await draft.remove(name, gone)
    ruling?.addRemoved(name, gone)
  }
  if (ruling) await release(ruling, removed)
}
