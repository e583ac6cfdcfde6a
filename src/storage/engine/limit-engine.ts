import type { Access } from '../access/rights.ts'
import type { Engine, EngineAccess } from './engine.ts'

const viewed = new WeakMap<Engine, WeakMap<Access, EngineAccess>>()

/** The engine restricted to what `access` allows. Memoized, so that caches per engine keep working. */
export function limitEngine(engine: Engine, access: Access): EngineAccess {
  const views = viewed.get(engine) ?? new WeakMap<Access, EngineAccess>()
  viewed.set(engine, views)
  const known = views.get(access) ?? limited(engine, access)
  views.set(access, known)
  return known
}

function limited(engine: Engine, access: Access): EngineAccess {
  return {
    get naming() {
      return engine.naming
    },
    get state() {
      return engine.state
    },
    names: () => engine.names(),
    kindOf: (name) => engine.kindOf(name),
    read: (question, options) => engine.read(question, { ...options, access }),
    write: (change, options) => engine.write(change, { ...options, access }),
    declares: (collection, field) => engine.declares(collection, field),
    catchUp: () => engine.catchUp(),
    refresh: () => engine.refresh(),
  }
}
