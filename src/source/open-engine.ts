import { type ChainDb, engineOf, joinChain } from '../compat/chain-db.ts'
import { openResources } from '../config/resources/open-resources.ts'
import { parseResources, type ResourcesSettings } from '../config/resources/resource-settings.ts'
import { Database } from '../core/engine/data/database.ts'
import { Engine } from '../core/engine/engine.ts'
import type { Data, Naming } from '../core/engine/types.ts'
import { ConfigError } from '../core/kernel/catalogue/error-classes.ts'
import { DataFiles } from '../stores/file/data-files.ts'
import { createIfMissing, type DataFile, FileStore } from '../stores/file/file-store.ts'
import { formatOf } from '../stores/formats/formats.ts'
import { checkData } from '../stores/formats/load.ts'
import { openLive } from '../stores/live/live-data.ts'

/**
 * The engine for what `router()` was given: an engine itself; a file, created with `{}` if missing, as in json-server;
 * an object, served live; the `db` of another router, whose engine is shared; a lowdb 1 database, which stays the
 * user's and saves itself.
 */
export function openEngine(source: string | object, naming: Naming): Engine {
  if (typeof source === 'string') {
    refuseFormat(source)
    createIfMissing(source)
    const file = new DataFiles(source)
    const database = Database.of(file.readSync() ?? {})
    return new Engine(database, { ...naming, store: new FileStore(file, database) })
  }
  if (source instanceof Engine) return source
  if (isLowdb(source)) return engineOf(source) ?? engineOfLowdb(source, naming)
  return openLive({ data: checkData(source, 'The data') }, naming)
}

/** A router reads its data synchronously. Parsers of other formats are loaded asynchronously. */
function refuseFormat(source: string): void {
  const isFolder = /[\\/]$/.test(source)
  if (!isFolder && (formatOf(source) ?? 'json') === 'json') return
  const what = isFolder ? 'folders' : 'other formats'
  throw new ConfigError(`router() takes a .json file. open() and start() serve ${what}, such as ${source}.`)
}

export function withRules(engine: Engine, resources: unknown): Engine {
  if (resources === undefined) return engine
  const settings = parseResources(resources)
  refuseAccess(settings)
  // They hide and compute no fields, so on an engine of its own they hold immediately.
  void engine.useRules(openResources(settings, engine))
  return engine
}

/** A router alone has no accounts: rules that it cannot enforce are refused. */
function refuseAccess(settings: ResourcesSettings): void {
  const [name] = Object.entries(settings).find(([, { access, owner }]) => access ?? owner) ?? []
  if (name === undefined) return
  throw new ConfigError(
    `resources.${name}: access and owner need the layer accounts, which start() has and router() does not. ` +
      'Remove them, or serve with start().',
  )
}

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
  const database = Database.of(checkData(db.getState(), 'The data'))
  const engine = openLive(holder, { ...naming, store: new FileStore(dataFileOf(db), database) })
  joinChain(db, engine)
  return engine
}

/** Saves through lowdb, which writes its state: that has each change before it is saved. */
function dataFileOf(db: ChainDb): DataFile {
  return {
    read: async () => null,
    async write() {
      await db.write()
    },
    changedOutside: async () => false,
    exclusive: (work) => work(),
  }
}
