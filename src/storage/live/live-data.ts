import { deepCopy } from '../../json/values.ts'
import { higherId, nextId } from '../data/next-id.ts'
import { Engine, type EngineOptions } from '../engine/engine.ts'
import { FileStore } from '../file/file-store.ts'
import type { Data, Row } from '../types.ts'
import { LiveMirror, type LiveObject } from './live-mirror.ts'
import { LiveStore } from './live-store.ts'

/** The data as an object that code may change in place: json-server's `router.db`, or an object passed in. */
export interface LiveData {
  readonly data: Data
  /** @param isReloaded it came from outside: a reset restores it as it is now */
  setState(data: Data, isReloaded?: boolean): void
  /** Saves the data after it was changed in place. */
  save(): Promise<void>
  reload(): void
  nextId(rows: readonly Row[]): unknown
}

const liveData = new WeakMap<Engine, LiveData>()

export function openLive(object: LiveObject, options: EngineOptions): Engine {
  const mirror = new LiveMirror(object, () => engine.naming.id)
  const engine = new Engine(mirror.mirrored.database, options)
  liveDataIn(engine, mirror)
  return engine
}

/** From now on, the engine's data may be changed in place. */
export function liveDataOf(engine: Engine): LiveData {
  const existing = liveData.get(engine)
  if (existing) return existing
  const mirror = new LiveMirror({ data: {} }, () => engine.naming.id)
  mirror.fill(engine.database)
  const live = liveDataIn(engine, mirror)
  void engine.catchUp()?.catch(() => {})
  return live
}

/** Brings a new fork up to date at once: with what code did in place that the engine has not looked at since. */
export function bringUpToDate(fork: Engine, engine: Engine): void {
  const live = liveData.get(engine)
  if (live) liveDataOf(fork).setState(deepCopy(live.data) as Data, true)
}

function liveDataIn(engine: Engine, mirror: LiveMirror): LiveData {
  const inner = engine.store
  const store = new LiveStore(engine, mirror)
  const live: LiveData = {
    get data() {
      return mirror.object.data
    },
    setState: (data, isReloaded) => store.setState(data, isReloaded),
    save: () => store.save(),
    reload() {
      const content = inner instanceof FileStore ? inner.file.readSync?.() : undefined
      if (content) store.load(content)
    },
    nextId(rows) {
      const { id } = engine.naming
      return nextId(rows.reduce<unknown>((highest, row) => higherId(highest, row, id), undefined))
    },
  }
  liveData.set(engine, live)
  return live
}
