import type { StatsOptions } from '../../endpoints/stats.ts'
import type { Engine } from '../../storage/engine.ts'
import { countRows, hasField, readRows } from '../../storage/read-rows.ts'
import { rightsIn, type View } from '../../storage/view.ts'

/**
 * What `/stats` is made of: all of the data where it is at hand; elsewhere the database counts, and only collections with a
 * revenue are read.
 * @param view whom they are for
 */
export function describeCounts(engine: Engine, view?: View): Pick<StatsOptions, 'state' | 'counts'> {
  if (!engine.isRemote) return { state: async () => (await engine.read({ kind: 'database' })).found }
  const collections = () =>
    engine.names().filter((name) => engine.kindOf(name) === 'collection' && isShown(view, name))
  return {
    counts: async () => {
      const counts = collections().map(async (name) => [name, (await countRows(engine, name)) ?? 0] as const)
      return Object.fromEntries(await Promise.all(counts))
    },
    state: async () => {
      const parts = collections().map(async (name) => {
        const rows = (await hasField(engine, name, 'revenue')) ? await readRows(engine, name) : undefined
        return [name, rows ?? []] as const
      })
      return Object.fromEntries(await Promise.all(parts))
    },
  }
}

function isShown(view: View | undefined, collection: string): boolean {
  return view === undefined || rightsIn(view, collection).read.reach !== 'none'
}
