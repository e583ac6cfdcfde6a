import type { View } from '../view.ts'
import type { Engine, EngineAccess } from './engine.ts'

const viewed = new WeakMap<Engine, WeakMap<View, EngineAccess>>()

/** The engine restricted to what a client may see and do. Memoized, so that caches per engine keep working. */
export function seenBy(engine: Engine, view: View): EngineAccess {
  const views = viewed.get(engine) ?? new WeakMap<View, EngineAccess>()
  viewed.set(engine, views)
  const known = views.get(view) ?? limited(engine, view)
  views.set(view, known)
  return known
}

function limited(engine: Engine, view: View): EngineAccess {
  return {
    get naming() {
      return engine.naming
    },
    get state() {
      return engine.state
    },
    names: () => engine.names(),
    kindOf: (name) => engine.kindOf(name),
    read: (question, options) => engine.read(question, { ...options, view }),
    write: (change, options) => engine.write(change, { ...options, view }),
    declares: (collection, field) => engine.declares(collection, field),
    catchUp: () => engine.catchUp(),
    refresh: () => engine.refresh(),
  }
}
