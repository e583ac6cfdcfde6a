import { Database } from '../../core/engine/data/database.ts'
import { Engine, type EngineOptions } from '../../core/engine/engine.ts'
import { idOf } from '../../core/engine/id-of.ts'
import type { Data } from '../../core/engine/types.ts'
import { deepCopy } from '../../core/kernel/json/values.ts'
import { type DataHolder, LiveObject } from './live-object.ts'
import { LiveStore } from './live-store.ts'
import { storedAfter } from './stored-after.ts'

const stores = new WeakMap<Engine, LiveStore>()

export function openLive(holder: DataHolder, options: EngineOptions): Engine {
  const object = new LiveObject(holder, (name) => idOf(name, engine.naming))
  const engine = new Engine(object.copied, options)
  stores.set(engine, new LiveStore(engine, object))
  return engine
}

/** From now on, the engine's data may be changed in place. */
export function liveDataOf(engine: Engine): LiveStore {
  const existing = stores.get(engine)
  if (existing) return existing
  const object = new LiveObject({ data: {} }, (name) => idOf(name, engine.naming))
  object.put(NOTHING, storedAfter(NOTHING, { before: NOTHING, after: engine.database }))
  const store = new LiveStore(engine, object)
  stores.set(engine, store)
  // What is being saved now is in the object as soon as that is done.
  void engine.refresh().catch(() => {})
  return store
}

const NOTHING = new Database(new Map())

/** Brings a new fork up to date, with what code did in place that the engine has not looked at since. */
export function bringUpToDate(fork: Engine, engine: Engine): void {
  const live = stores.get(engine)
  if (live) liveDataOf(fork).setState(deepCopy(live.data) as Data, true)
}
