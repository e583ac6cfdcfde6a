import type { Row } from '../storage/types.ts'

type Path = string | readonly (string | number)[]

type Item<T> = T extends readonly (infer Each)[] ? Each : never

/** `{ author: 'me' }`, `['author', 'me']`, `'isDraft'`, or a function. */
type Test<Each> = Partial<Each> | readonly [string, unknown] | string | ((item: Each) => unknown)

type By<Each> = string | ((item: Each) => unknown)

/**
 * lodash's methods on a value, each returning a chain; nothing runs before `value()` or `write()`.
 * Typed here are those that json-server users use most; the others are there too, through `thru`.
 */
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
