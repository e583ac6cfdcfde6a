import type { Engine, EngineAccess } from './engine.ts'
import type { Access } from './rules/rights.ts'

const limitedEngines = new WeakMap<Engine, WeakMap<Access, EngineAccess>>()

/** The engine restricted to what `access` allows. Memoized, so that caches per engine keep working. */
export function engineFor(engine: Engine, access: Access): EngineAccess {
  const byAccess = limitedEngines.get(engine) ?? new WeakMap<Access, EngineAccess>()
  limitedEngines.set(engine, byAccess)
  const engineAccess = byAccess.get(access) ?? limited(engine, access)
  byAccess.set(access, engineAccess)
  return engineAccess
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
  }
}
