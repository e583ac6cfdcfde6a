import { createRequire } from 'node:module'
import { higherId, nextId } from '../core/engine/data/next-id.ts'
import type { Engine } from '../core/engine/engine.ts'
import { idOf } from '../core/engine/id-of.ts'
import type { Data, Row } from '../core/engine/types.ts'
import { getOrMake } from '../core/kernel/util/get-or-make.ts'
import { liveDataOf } from '../stores/live/live-data.ts'

/** Loaded on first use: lodash is large, and most servers never need it. */
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
  read(): this
  /** Resolves, with the value if one is given, once the current data is in the file. */
  write<T>(value?: T): Promise<T>
}

const engines = new WeakMap<object, Engine>()

export function engineOf(db: object): Engine | undefined {
  return engines.get(db)
}

const chains = new WeakMap<Engine, ChainDb>()

/** Made on first use: from then on, the engine compares everything reached through the chain before each request. */
export function chainDbOf(engine: Engine): ChainDb {
  return getOrMake(chains, engine, () => createChainDb(engine))
}

function createChainDb(engine: Engine): ChainDb {
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
        // Few callers await it, since json-server's write is synchronous.
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
  return joinChain(db, engine)
}

/** Adds json-server's methods to a chain, and makes the engine use its id generator. */
export function joinChain(db: ChainDb, engine: Engine): ChainDb {
  const { _ } = db
  if (_.id) engine.useId(_.id)
  let collection = ''
  /** While a method runs, `_.id` is the id field of the collection that it got. */
  const inCollection =
    (method: (...sent: unknown[]) => unknown) =>
    (...sent: unknown[]) => {
      const before = collection
      collection ||= Object.entries(db.getState()).find(([, rows]) => rows === sent[0])?.[0] ?? ''
      try {
        return Reflect.apply(method, _, sent)
      } finally {
        collection = before
      }
    }
  const createNext = (rows: readonly Row[]) => nextId(highestOf(rows, _.id))
  const methods: Record<string, Parameters<typeof inCollection>[0]> = {
    ...require('lodash-id'),
    createId: createNext,
  }
  _.mixin(Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, inCollection(method)])))
  Object.defineProperty(_, 'id', {
    configurable: true,
    enumerable: true,
    get: () => idOf(collection, engine.naming),
    set: (id: string) => engine.useId(id),
  })
  const { createId } = _
  // In a copy of the data, the function of the base.
  const inherited = engine.createId
  engine.createId = (rows, row, isTaken) =>
    _.createId === createId ? inherited?.(rows, row, isTaken) : _.createId(rows, row)
  engines.set(db, engine)
  return db
}

function highestOf(rows: readonly Row[], id: string): unknown {
  return rows.reduce<unknown>((highest, row) => higherId(highest, row, id), undefined)
}

type Path = string | readonly (string | number)[]

type Item<T> = T extends readonly (infer Each)[] ? Each : never

/** `{ author: 'me' }`, `['author', 'me']`, `'isDraft'`, or a function. */
type Test<Each> = Partial<Each> | readonly [string, unknown] | string | ((item: Each) => unknown)

type By<Each> = string | ((item: Each) => unknown)

/** lodash's lazy chain. Typed are the methods that json-server users use most; the rest are reached by `thru`. */
export interface Chain<T> {
  value(): T
  /** Runs the chain, saves the data, and resolves with the value once it is in the file. */
  write(): Promise<T>

  get<V = Row[]>(path: Path): Chain<V>
  has(path: Path): Chain<boolean>
  set(path: Path, value: unknown): Chain<T>
  update(path: Path, change: (value: unknown) => unknown): Chain<T>
  unset(path: Path): Chain<boolean>
  assign(...sources: readonly object[]): Chain<T>
  merge(...sources: readonly object[]): Chain<T>
  defaults(...sources: readonly object[]): Chain<T>
  pick(...paths: readonly string[]): Chain<Partial<T>>
  omit(...paths: readonly string[]): Chain<Partial<T>>
  keys(): Chain<string[]>
  cloneDeep(): Chain<T>
  tap(look: (value: T) => void): Chain<T>
  thru<V>(step: (value: T) => V): Chain<V>

  find(test?: Test<Item<T>>): Chain<Item<T> | undefined>
  filter(test?: Test<Item<T>>): Chain<Item<T>[]>
  reject(test?: Test<Item<T>>): Chain<Item<T>[]>
  some(test?: Test<Item<T>>): Chain<boolean>
  every(test?: Test<Item<T>>): Chain<boolean>
  map<V = unknown>(by: string | ((item: Item<T>, index: number) => V)): Chain<V[]>
  forEach(each: (item: Item<T>, index: number) => unknown): Chain<T>
  sortBy(...by: readonly By<Item<T>>[]): Chain<Item<T>[]>
  orderBy(
    by: By<Item<T>> | readonly By<Item<T>>[],
    orders?: 'asc' | 'desc' | readonly ('asc' | 'desc')[],
  ): Chain<Item<T>[]>
  groupBy(by: By<Item<T>>): Chain<Record<string, Item<T>[]>>
  uniqBy(by: By<Item<T>>): Chain<Item<T>[]>
  maxBy(by: By<Item<T>>): Chain<Item<T> | undefined>
  minBy(by: By<Item<T>>): Chain<Item<T> | undefined>
  slice(start?: number, end?: number): Chain<Item<T>[]>
  take(count?: number): Chain<Item<T>[]>
  first(): Chain<Item<T> | undefined>
  last(): Chain<Item<T> | undefined>
  size(): Chain<number>
  push(...items: readonly Item<T>[]): Chain<T>
  /** Removes the matching items, and continues with them. */
  remove(test?: Test<Item<T>>): Chain<Item<T>[]>

  getById(id: unknown): Chain<Item<T> | undefined>
  /** Adds a row, with a new id if it has none. Throws if the id is taken. */
  insert(row: Item<T>): Chain<Item<T>>
  /** Replaces the row with the same id, or adds it. */
  upsert(row: Item<T>): Chain<Item<T>>
  updateById(id: unknown, fields: Partial<Item<T>>): Chain<Item<T> | undefined>
  updateWhere(test: Test<Item<T>>, fields: Partial<Item<T>>): Chain<Item<T>[]>
  replaceById(id: unknown, fields: Partial<Item<T>>): Chain<Item<T> | undefined>
  removeById(id: unknown): Chain<Item<T> | undefined>
  removeWhere(test: Test<Item<T>>): Chain<Item<T>[]>
  createId(): Chain<unknown>
}
