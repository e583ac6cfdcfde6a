import { Engine, type EngineOptions } from '../engine/engine.ts'
import { LiveMirror, type LiveObject } from './live-mirror.ts'
import { LiveStore } from './live-store.ts'

const stores = new WeakMap<Engine, LiveStore>()

export function openLive(object: LiveObject, options: EngineOptions): Engine {
  const mirror = new LiveMirror(object, () => engine.naming.id)
  const engine = new Engine(mirror.mirrored.database, options)
  stores.set(engine, new LiveStore(engine, mirror))
  return engine
}

/** From now on, the engine's data may be changed in place. */
export function liveDataOf(engine: Engine): LiveStore {
  const existing = stores.get(engine)
  if (existing) return existing
  const mirror = new LiveMirror({ data: {} }, () => engine.naming.id)
  mirror.fill(engine.database)
  const store = new LiveStore(engine, mirror)
  stores.set(engine, store)
  void engine.catchUp()?.catch(() => {})
  return store
}

/** Brings a new fork up to date, with what code did in place that the engine has not looked at since. */
export function bringUpToDate(fork: Engine, engine: Engine): void {
  const live = stores.get(engine)
  if (live) liveDataOf(fork).fillFrom(live)
}
