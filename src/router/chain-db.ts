import lodash, { type LoDashExplicitWrapper, type LoDashStatic } from 'lodash'
import lodashId from 'lodash-id'
import type { Store } from '../storage/store.ts'
import type { Data, Row } from '../storage/types.ts'

/** lodash with lodash-id's methods: `insert`, `getById`, `updateById`, `removeById`, … */
export type Lodash = LoDashStatic & { id: string; createId(rows: readonly Row[], row?: Row): unknown }

/**
 * The data as a lodash chain, as lowdb 1 gave it and json-server's users know it.
 *
 * @example await router.db.get('posts').insert({ title: 'hello' }).write()
 */
export interface ChainDb extends LoDashExplicitWrapper<Data> {
  readonly _: Lodash
  getState(): Data
  /** Served at once, saved with the next `write()`. */
  setState(state: Data): this
  read(): Promise<this>
  write<T>(value?: T): Promise<T>
}

/** Everything reached through the chain is the data itself, so the store is told that it shares it. */
export function createChainDb(store: Store): ChainDb {
  const _ = lodash.runInContext() as Lodash
  _.mixin(lodashId)
  _.mixin({ createId: (rows: readonly Row[]) => store.nextId(rows) })
  Object.defineProperty(_, 'id', { get: () => store.naming.id, set: (id: string) => store.useId(id) })
  const { createId } = _
  store.createId = (rows, row) => (_.createId === createId ? undefined : _.createId(rows, row))

  const db: ChainDb = Object.assign(_.chain(store.share()), {
    _,
    getState: () => store.data,
    setState(state: Data) {
      store.setState(state)
      // Where lodash keeps what a chain starts from.
      Object.assign(db, { __wrapped__: state })
      return db
    },
    async read() {
      await store.reload()
      return db
    },
    write<T>(value?: T) {
      const saved = store.save().then(() => value as T)
      // Few callers wait for it, as json-server's write was synchronous; those who do still see the failure.
      saved.catch((error: unknown) => console.error(error))
      return saved
    },
  })
  Object.assign(_.prototype, {
    write(this: LoDashExplicitWrapper<unknown>) {
      return db.write(this.value())
    },
  })
  return db
}
