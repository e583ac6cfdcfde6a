import type { StatsOptions } from '../../endpoints/stats.ts'
import type { EngineAccess } from '../../storage/engine/engine.ts'

/** What `/stats` is made of: all that a client may read. */
export function describeCounts(engine: EngineAccess): Pick<StatsOptions, 'state'> {
  return { state: async () => (await engine.read({ kind: 'database' })).found }
}
