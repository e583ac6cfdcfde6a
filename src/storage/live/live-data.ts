import { deepCopy, isObject } from '../../json/values.ts'
import type { Database } from '../data/database.ts'
import { higherId, nextId } from '../data/next-id.ts'
import { MemoryStore, type Store } from '../data/store.ts'
import { Engine, type EngineOptions } from '../engine/engine.ts'
import { FileStore } from '../file/file-store.ts'
import { asStored } from '../rules/served-fields.ts'
import type { Data, Row } from '../types.ts'
import type { LiveObject } from './live-mirror.ts'
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
  const store = new LiveStore(object, inner, () => engine.naming.id)
  const engine = new Engine(store.take(), { ...options, store })
  liveDataIn(engine, store, object, inner)
  return engine
}

/** From now on, the engine's data may be changed in place. */
export function liveDataOf(engine: Engine): LiveData {
  const existing = liveData.get(engine)
  if (existing) return existing
  const object = { data: copyOf(engine.database) }
  const inner = engine.store
  const store = new LiveStore(object, inner, () => engine.naming.id)
  engine.useStore(store)
  followSave(engine, store, object)
  void engine.catchUp()?.catch(() => {})
  return liveDataIn(engine, store, object, inner)
}

/** A save that began before the store was there ends without it: what that changed is written into the object, too. */
function followSave(engine: Engine, store: LiveStore, object: LiveObject): void {
  const { database } = engine
  const entries = Object.entries(object.data)
  const lists = new Map(entries.map(([name, part]) => [name, Array.isArray(part) ? [...part] : []]))
  store.beforeUse = async () => {
    store.beforeUse = async () => {}
    const after = engine.database
    if (after !== database) await store.write({ before: database, after }, { database, lists })
  }
}

function liveDataIn(engine: Engine, store: LiveStore, object: LiveObject, inner: Store): LiveData {
  const live: LiveData = {
    get data() {
      return object.data
    },
    setState: (data) => store.setState(data),
    save: () => store.save(() => engine.write({ kind: 'replace-database' })),
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

function copyOf(database: Database): Data {
  const entries = Object.entries(database.toData()).map(([name, part]) => {
    const value = Array.isArray(part) ? part.map((row) => (isObject(row) ? asStored(row) : row)) : part
    return [name, deepCopy(value)] as const
  })
  return Object.fromEntries(entries)
}
