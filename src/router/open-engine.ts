import type { Engine } from '../storage/engine.ts'
import { createIfMissing } from '../storage/file/create-if-missing.ts'
import { JsonFile } from '../storage/file/json-file.ts'
import { checkData } from '../storage/json/load.ts'
import type { Medium } from '../storage/local/keeper.ts'
import { LocalEngine } from '../storage/local/local-engine.ts'
import type { Data, Naming } from '../storage/types.ts'
import { type ChainDb, engineOf, joinChain } from './db/chain-db.ts'

/**
 * The engine of what `router()` was given: an engine itself; a file, made with `{}` when it is missing as json-server
 * did; an object, which is served live; the `db` of another router, whose engine is shared; a database made with
 * lowdb 1, which stays the user's and saves itself.
 */
export function openEngine(source: string | object, naming: Naming): Engine {
  if (typeof source === 'string') {
    createIfMissing(source)
    const medium = new JsonFile(source)
    return new LocalEngine(medium.readSync(), { ...naming, medium, isOwned: true })
  }
  if (isEngine(source)) return source
  if (isLowdb(source)) return engineOf(source) ?? engineOfLowdb(source, naming)
  return new LocalEngine(checkData(source, 'The data'), naming)
}

/** Data has lists and objects under its names, and no functions. */
function isEngine(source: object): source is Engine {
  return ['read', 'write', 'subscribe', 'names', 'kindOf'].every(
    (verb) => typeof Reflect.get(source, verb) === 'function',
  )
}

/** lowdb 1's own marks, which json-server went by. */
export function isLowdb(source: object): source is ChainDb {
  return '__chain__' in source && '__wrapped__' in source && 'getState' in source && 'write' in source
}

function engineOfLowdb(db: ChainDb, naming: Naming): Engine {
  const holder = {
    get data() {
      return db.getState()
    },
    set data(data: Data) {
      db.setState(data)
    },
  }
  const data = checkData(db.getState(), 'The data')
  const engine = new LocalEngine(data, { ...naming, holder, medium: mediumOf(db) })
  joinChain(db, engine, engine.live)
  return engine
}

/** Saves through lowdb, which writes its state as it is in the moment of the call: so it gets the new one for that long. */
function mediumOf(db: ChainDb): Medium {
  return {
    read: async () => null,
    async write(data) {
      const state = db.getState()
      let saved: unknown
      try {
        db.setState(data)
        saved = db.write()
      } finally {
        db.setState(state)
      }
      await saved
    },
    changedOutside: async () => false,
    exclusive: (work) => work(),
  }
}
