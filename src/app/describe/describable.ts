import type { Describable } from '../../schema/api-model.ts'
import type { EngineAccess } from '../../storage/engine/engine.ts'
import type { ListQuery } from '../../storage/types.ts'

const EVERYTHING: ListQuery = { where: [], sort: [], window: { kind: 'all' }, embed: [], expand: [] }

/** Adapts an engine: to describe a collection, its rows are read. */
export function describable(engine: EngineAccess): Describable {
  return {
    naming: engine.naming,
    names: () => engine.names(),
    kindOf: (name) => engine.kindOf(name),
    async read(name) {
      if (engine.kindOf(name) !== 'collection') {
        const { found, isCurrent } = await engine.read({ kind: 'object', name })
        return { values: found === undefined ? [] : [found], isCurrent }
      }
      const { found, isCurrent } = await engine.read({ kind: 'list', collection: name, query: EVERYTHING })
      const rows = found?.rows ?? []
      return { values: 'toArray' in rows ? rows.toArray() : rows, isCurrent }
    },
  }
}
