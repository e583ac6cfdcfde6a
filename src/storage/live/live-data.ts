import { higherId, nextId } from '../data/next-id.ts'
import { MemoryStore, type Store } from '../data/store.ts'
import { Engine, type EngineOptions } from '../engine/engine.ts'
import { FileStore } from '../file/file-store.ts'
import type { Data, Row } from '../types.ts'
import { LiveMirror, type LiveObject } from './live-mirror.ts'
import { LiveStore } from './live-store.ts'

/** The data as an object that code may change in place: json-server's `router.db`, or an object passed in. */
export interface LiveData {
  readonly data: Data
  setState(data: Data): void
  /** Saves the data after it was changed in place. */
  save(): Promise<void>
  reload(): void
  nextId(rows: readonly Row[]): unknown
}

const liveData = new WeakMap<Engine, LiveData>()

export function openLive(
  object: LiveObject,
  { store: inner = new MemoryStore(), ...options }: EngineOptions,
): Engine {
  const mirror = new LiveMirror(object, () => engine.naming.id)
  const store = new LiveStore(object, mirror, inner)
  const engine = new Engine(mirror.current, { ...options, store })
  liveDataIn(engine, store, object, inner)
  return engine
}

/** From now on, the engine's data may be changed in place. */
export function liveDataOf(engine: Engine): LiveData {
  const existing = liveData.get(engine)
  if (existing) return existing
  const object = { data: {} }
  const mirror = new LiveMirror(object, () => engine.naming.id)
  const { database, store: inner } = engine
  mirror.fill(database)
  const store = new LiveStore(object, mirror, inner)
  // A save that began before the store was there ends without it.
  store.beforeUse = async () => {
    const after = engine.database
    if (after !== database) await store.write({ before: database, after })
  }
  engine.useStore(store)
  void engine.catchUp()?.catch(() => {})
  return liveDataIn(engine, store, object, inner)
}

function liveDataIn(engine: Engine, store: LiveStore, object: LiveObject, inner: Store): LiveData {
  const live: LiveData = {
    get data() {
      return object.data
    },
    setState: (data) => store.setState(data),
    save: () => engine.write({ kind: 'replace-database' }),
    reload() {
      const content = inner instanceof FileStore ? inner.readSync() : undefined
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
