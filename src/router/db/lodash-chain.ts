import type { Row } from '../../storage/types.ts'

type Path = string | readonly (string | number)[]

type Item<T> = T extends readonly (infer Each)[] ? Each : never

/** `{ author: 'me' }`, `['author', 'me']`, `'isDraft'`, or a function. */
type Test<Each> = Partial<Each> | readonly [string, unknown] | string | ((item: Each) => unknown)

type By<Each> = string | ((item: Each) => unknown)

/**
 * lodash's methods on some value, each of them a chain again; nothing is done before `value()` or `write()`.
 * Named here are those that json-server's users use most; the others are there too, behind `thru`.
 */
export interface Chain<T> {
  value(): T
  /** Does what the chain says, saves the data, and resolves with the value once the file holds it. */
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
  /** Takes the matching items out, and goes on with them. */
  remove(test?: Test<Item<T>>): Chain<Item<T>[]>

  getById(id: unknown): Chain<Item<T> | undefined>
  /** Adds a row, with an id of its own if it brings none. Throws when the id is taken. */
  insert(row: Item<T>): Chain<Item<T>>
  /** Puts a row in the place of the one with its id, or adds it. */
  upsert(row: Item<T>): Chain<Item<T>>
  updateById(id: unknown, fields: Partial<Item<T>>): Chain<Item<T> | undefined>
  updateWhere(test: Test<Item<T>>, fields: Partial<Item<T>>): Chain<Item<T>[]>
  replaceById(id: unknown, fields: Partial<Item<T>>): Chain<Item<T> | undefined>
  removeById(id: unknown): Chain<Item<T> | undefined>
  removeWhere(test: Test<Item<T>>): Chain<Item<T>[]>
  createId(): Chain<unknown>
}
