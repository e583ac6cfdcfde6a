import { createRequire } from 'node:module'
import type { Engine } from '../storage/engine/engine.ts'
import { type LiveData, liveDataOf } from '../storage/live/live-data.ts'
import type { Data, Row } from '../storage/types.ts'
import type { Chain } from './lodash-chain.ts'

/** Loaded on first use: it is large, and most servers never need it. */
const require = createRequire(import.meta.url)

interface ChainLodash {
  /** The primary key; a change takes effect in the API immediately. */
  id: string
  /** Adds methods to the chain. One called `createId` also generates the ids of rows added over HTTP. */
  mixin(methods: object): unknown
  createId(rows: readonly Row[], row?: Row): unknown
  readonly prototype: object
}

/**
 * The data as a lodash chain, as in lowdb 1 and json-server.
 *
 * @example await router.db.get('posts').insert({ title: 'hello' }).write()
 */
export interface ChainDb extends Omit<Chain<Data>, 'write'> {
  readonly _: ChainLodash
  getState(): Data
  /** Served immediately, saved with the next `write()`. */
  setState(state: Data): this
  /** Reloads the file. */
  read(): this
  /** Resolves, with the value if one is given, once the current data is in the file. */
  write<T>(value?: T): Promise<T>
}

const engines = new WeakMap<object, Engine>()

export function engineOf(db: object): Engine | undefined {
  return engines.get(db)
}

/** Everything reached through the chain is an object that the engine looks at again before each request. */
export function createChainDb(engine: Engine): ChainDb {
  const live = liveDataOf(engine)
  const lodash: typeof import('lodash') = require('lodash')
  const _ = lodash.runInContext()
  const db: ChainDb = Object.defineProperties(Object(_.chain(live.data)), {
    __wrapped__: { get: () => live.data, set: (state: Data) => live.setState(state) },
    _: { value: _ },
    getState: { value: () => live.data },
    setState: {
      value: (state: Data) => {
        live.setState(state)
        return db
      },
    },
    read: {
      value: () => {
        live.reload()
        return db
      },
    },
    write: {
      value: (value?: unknown) => {
        const saved = live.save().then(() => value)
        // Few callers await it, since json-server's write was synchronous; those still get the rejection.
        saved.catch((error: unknown) => console.error(error))
        return saved
      },
    },
  })
  Object.assign(_.prototype, {
    write(this: { value(): unknown }) {
      return db.write(this.value())
    },
  })
  return joinChain(db, engine, live)
}

/** Adds json-server's methods to a chain, and lets the engine use the owner's id generator. */
export function joinChain(db: ChainDb, engine: Engine, live: LiveData): ChainDb {
  const { _ } = db
  if (_.id) engine.useId(_.id)
  _.mixin(require('lodash-id'))
  _.mixin({ createId: (rows: readonly Row[]) => live.nextId(rows) })
  Object.defineProperty(_, 'id', {
    configurable: true,
    enumerable: true,
    get: () => engine.naming.id,
    set: (id: string) => engine.useId(id),
  })
  const { createId } = _
  engine.createId = (rows, row) => (_.createId === createId ? undefined : _.createId(rows, row))
  engines.set(db, engine)
  return db
}
