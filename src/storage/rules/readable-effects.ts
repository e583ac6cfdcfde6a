import type { Effect } from '../data/commit.ts'
import type { Source } from '../data/database.ts'
import { rowTest } from './reachable-rows.ts'
import type { Access } from './rights.ts'

/**
 * What of a change a client may read: a row that becomes unreadable looks deleted, one that becomes readable created.
 * @param source the data now: it decides for parents that the change did not touch
 */
export async function readableEffects(
  source: Source,
  effects: readonly Effect[],
  access: Access,
): Promise<readonly Effect[]> {
  const [old, next] = [stateIn(source, effects, 'before'), stateIn(source, effects, 'after')]
  const readable: Effect[] = []
  for (const effect of effects) {
    const mayReadOld = await rowTest(old, access, effect.name, 'read')
    const mayReadNext = await rowTest(next, access, effect.name, 'read')
    // An object cannot look created or deleted, so both states must be readable.
    if (effect.kind === 'object') {
      if (mayReadOld(effect.before) && mayReadNext(effect.after)) readable.push(effect)
      continue
    }
    const rows = effect.rows.flatMap(({ rank, before, after }) => {
      const was = before !== undefined && mayReadOld(before)
      const is = after !== undefined && mayReadNext(after)
      return was || is ? [{ rank, ...(was && { before }), ...(is && { after }) }] : []
    })
    if (rows.length > 0) readable.push({ ...effect, rows })
  }
  return readable
}

/** The data with the rows of a change as they were before it, or after it. */
function stateIn(source: Source, effects: readonly Effect[], side: 'before' | 'after'): Source {
  return {
    naming: source.naming,
    names: () => source.names(),
    kindOf: (name) => source.kindOf(name),
    object: (name) => source.object(name),
    async table(name) {
      const table = await source.table(name)
      const effect = effects.find((each) => each.name === name)
      if (!table || effect?.kind !== 'rows') return table
      return table.edit(effect.rows.map(({ rank, [side]: after }) => ({ rank, after })))
    },
  }
}
