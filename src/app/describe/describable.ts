import type { Describable } from '../../schema/api-model.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Reading } from '../../storage/question.ts'
import type { ListQuery } from '../../storage/types.ts'

/** Of a collection that is elsewhere, no more than this many rows are described. */
const MOST_DESCRIBED = 2000

/** Adapts an engine: to describe a collection, its rows are read. */
export function describable(engine: Engine): Describable {
  const described: ListQuery['window'] = engine.isRemote
    ? { kind: 'limit', count: MOST_DESCRIBED }
    : { kind: 'all' }
  return {
    naming: engine.naming,
    names: () => engine.names(),
    kindOf: (name) => engine.kindOf(name),
    async read(name) {
      if (engine.kindOf(name) !== 'collection') {
        const { found, isCurrent } = await engine.read({ kind: 'object', name })
        return { values: found === undefined ? [] : [found], isCurrent }
      }
      const { found, isCurrent } = await engine.read({
        kind: 'list',
        collection: name,
        query: listed(described),
      })
      const rows = found?.rows ?? []
      return { values: 'toArray' in rows ? rows.toArray() : rows.slice(), isCurrent }
    },
  }
}

/** Tells whether all of the data is still as it is now. Undefined if nobody can. */
export async function currencyOf(engine: Engine): Promise<(() => boolean) | undefined> {
  if (!engine.isRemote) return (await engine.read({ kind: 'database' })).isCurrent
  const names = engine.names()
  const readings = await Promise.all(names.map((name) => readNothing(engine, name)))
  const checks = readings.flatMap(({ isCurrent }) => isCurrent ?? [])
  if (checks.length < names.length) return undefined
  return () => isSameList(names, engine.names()) && checks.every((isCurrent) => isCurrent())
}

/** What is found of a collection is only how many rows it has. */
async function readNothing(engine: Engine, name: string): Promise<Reading<unknown>> {
  if (engine.kindOf(name) !== 'collection') return engine.read({ kind: 'object', name })
  return engine.read({ kind: 'list', collection: name, query: listed({ kind: 'limit', count: 0 }) })
}

function listed(window: ListQuery['window']): ListQuery {
  return { where: [], sort: [], window, embed: [], expand: [] }
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, at) => name === b[at])
}
