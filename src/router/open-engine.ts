import { ConfigError } from '../errors.ts'
import { openResources } from '../resources/open-resources.ts'
import { parseResources } from '../resources/parse-resources.ts'
import type { ResourcesSettings } from '../resources/resource-settings.ts'
import type { Engine } from '../storage/engine.ts'
import { createIfMissing } from '../storage/file/create-if-missing.ts'
import { JsonFile } from '../storage/file/json-file.ts'
import { checkData } from '../storage/json/load.ts'
import type { Medium } from '../storage/local/keeper.ts'
import { LocalEngine } from '../storage/local/local-engine.ts'
import type { Data, Naming } from '../storage/types.ts'
import { type ChainDb, engineOf, joinChain } from './db/chain-db.ts'

/**
 * The engine for what `router()` was given: an engine itself; a file, created with `{}` if missing, as in json-server;
 * an object, served live; the `db` of another router, whose engine is shared; a lowdb 1 database, which stays the
 * user's and saves itself.
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

/** The engine with the rules that settings ask for, if any. Throws a one-line ConfigError. */
export function withRules(engine: Engine, resources: unknown): Engine {
  if (resources === undefined) return engine
  if (!engine.useRules) {
    throw new ConfigError(
      'resources: this engine cannot enforce rules. Give it useRules, or leave resources out.',
    )
  }
  const settings = parseResources(resources)
  refuseAccess(settings)
  engine.useRules(openResources(settings, engine))
  return engine
}

/** A router alone does not know who asks: rules that it cannot keep must not look as if they held. */
function refuseAccess(settings: ResourcesSettings): void {
  const [name] = Object.entries(settings).find(([, { access, owner }]) => access ?? owner) ?? []
  if (name === undefined) return
  throw new ConfigError(
    `resources.${name}: access and owner need the layer accounts, which start() has and router() does not. ` +
      'Remove them, or serve with start().',
  )
}

/** Data has arrays and objects under these names, never functions. */
function isEngine(source: object): source is Engine {
  return ['read', 'write', 'subscribe', 'names', 'kindOf'].every(
    (verb) => typeof Reflect.get(source, verb) === 'function',
  )
}

/** The properties by which json-server recognized lowdb 1. */
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

/**
 * Saves through lowdb, which writes its state at the moment of the call: so the new state is set only for that call.
 */
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
