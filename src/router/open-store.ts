import { createIfMissing } from '../storage/file/create-if-missing.ts'
import { JsonFile } from '../storage/file/json-file.ts'
import { checkData } from '../storage/json/load.ts'
import type { Medium } from '../storage/local/keeper.ts'
import { Store } from '../storage/local/store.ts'
import type { Data, Naming } from '../storage/types.ts'
import { type ChainDb, joinChain, storeOf } from './db/chain-db.ts'

/**
 * The store of what `router()` was given: a file, made with `{}` when it is missing as json-server did; an
 * object, which is served live; the `db` of another router, whose store is shared; a database made with lowdb 1,
 * which stays the user's and saves itself.
 */
export function openStore(source: string | object, naming: Naming): Store {
  if (source instanceof Store) return source
  if (typeof source === 'string') {
    createIfMissing(source)
    const medium = new JsonFile(source)
    return new Store(medium.readSync(), { ...naming, medium })
  }
  if (isLowdb(source)) return storeOf(source) ?? storeOfLowdb(source, naming)
  return new Store(checkData(source, 'The data'), naming)
}

/** lowdb 1's own marks, which json-server went by. */
export function isLowdb(source: object): source is ChainDb {
  return '__chain__' in source && '__wrapped__' in source && 'getState' in source && 'write' in source
}

function storeOfLowdb(db: ChainDb, naming: Naming): Store {
  const holder = {
    get data() {
      return db.getState()
    },
    set data(data: Data) {
      db.setState(data)
    },
  }
  const store = new Store(checkData(db.getState(), 'The data'), { ...naming, holder, medium: mediumOf(db) })
  joinChain(db, store)
  return store
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
