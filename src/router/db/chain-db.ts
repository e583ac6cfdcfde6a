import { createRequire } from 'node:module'
import type { Store } from '../../storage/local/store.ts'
import type { Data, Row } from '../../storage/types.ts'
import type { Chain } from './lodash-chain.ts'

/** Loaded when first asked for, since it is large and most servers never use it. */
const require = createRequire(import.meta.url)

/** The lodash of one database. */
interface ChainLodash {
  /** The primary key; the API follows a change at once. */
  id: string
  /** Adds methods to the chain. One called `createId` makes the ids of rows that are added over HTTP, too. */
  mixin(methods: object): unknown
  createId(rows: readonly Row[], row?: Row): unknown
  readonly prototype: object
}

/**
 * The data as a lodash chain, as lowdb 1 gave it and json-server's users know it.
 *
 * @example await router.db.get('posts').insert({ title: 'hello' }).write()
 */
export interface ChainDb extends Omit<Chain<Data>, 'write'> {
  readonly _: ChainLodash
  getState(): Data
  /** Served at once, saved with the next `write()`. */
  setState(state: Data): this
  /** Takes over what the file holds now. */
  read(): this
  /** Resolves, with the value if one is given, once the file holds the data as it is now. */
  write<T>(value?: T): Promise<T>
}

const stores = new WeakMap<object, Store>()

/** The store behind a chain, if it is one of ours. */
export function storeOf(db: object): Store | undefined {
  return stores.get(db)
}

/** Everything reached through the chain is the data itself, so the store is told that it shares it. */
export function createChainDb(store: Store): ChainDb {
  const lodash: typeof import('lodash') = require('lodash')
  const _ = lodash.runInContext()
  const db: ChainDb = Object.defineProperties(Object(_.chain(store.share())), {
    __wrapped__: { get: () => store.data, set: (state: Data) => store.setState(state) },
    _: { value: _ },
    getState: { value: () => store.data },
    setState: {
      value: (state: Data) => {
        store.setState(state)
        return db
      },
    },
    read: {
      value: () => {
        store.reloadSync()
        return db
      },
    },
    write: {
      value: (value?: unknown) => {
        const saved = store.save().then(() => value)
        // Few callers wait for it, as json-server's write was synchronous; those who do still see the failure.
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
  return joinChain(db, store)
}

/** Gives a chain json-server's methods, and lets the store make ids as the chain's owner says. */
export function joinChain(db: ChainDb, store: Store): ChainDb {
  const { _ } = db
  if (_.id) store.useId(_.id)
  _.mixin(require('lodash-id'))
  _.mixin({ createId: (rows: readonly Row[]) => store.nextId(rows) })
  Object.defineProperty(_, 'id', {
    configurable: true,
    enumerable: true,
    get: () => store.naming.id,
    set: (id: string) => store.useId(id),
  })
  const { createId } = _
  store.createId = (rows, row) => (_.createId === createId ? undefined : _.createId(rows, row))
  stores.set(db, store)
  return db
}
