import { deepCopy } from '../deep-copy.ts'
import { isRecord, setField } from '../record.ts'
import { Ledger } from './ledger.ts'
import { type Measure, measure } from './measure.ts'
import { placeIn } from './pointer.ts'

export type Path = readonly string[]

type Container = unknown[] | Record<string, unknown>

export class MissingPath extends Error {
  override readonly name = 'MissingPath'
}

/** A value while it is patched, copy-on-write: the original is never mutated. */
export class Patched {
  root: unknown
  /** Lists and objects that were copied already and may be mutated, with their number of keys. */
  readonly #own = new Map<Container, number>()
  readonly #ledger = new Ledger()

  constructor(value: unknown) {
    this.#ledger.add(measure(value), 0)
    this.root = value
  }

  read(path: Path): unknown {
    let value = this.root
    for (const name of path) value = childOf(value, name)
    return value
  }

  /** Inserts into a list, or sets a field of an object. */
  add(path: Path, value: unknown, known?: Measure): void {
    const size = known ?? this.#ledger.measure(value)
    const name = path.at(-1)
    if (name === undefined) {
      if (this.root !== undefined) this.remove(path)
      this.#ledger.add(size, 0)
      this.root = value
      return
    }
    const parent = this.#ownParent(path)
    if (Array.isArray(parent)) {
      const place = name === '-' ? parent.length : placeIn(parent, name)
      if (place === undefined) throw new MissingPath()
      this.#ledger.add(size, path.length)
      this.#splice(parent, place, 0, value)
    } else if (Object.hasOwn(parent, name)) this.replace(path, value, size)
    else {
      this.#ledger.addKey(name, this.#own.get(parent) ?? 0)
      this.#ledger.add(size, path.length)
      this.#countKeys(parent, 1)
      setField(parent, name, value)
    }
  }

  replace(path: Path, value: unknown, known?: Measure): void {
    const name = path.at(-1)
    if (name === undefined) {
      this.add(path, value)
      return
    }
    const size = known ?? this.#ledger.measure(value)
    const parent = this.#ownParent(path)
    const old = this.#ledger.measure(childOf(parent, name))
    this.#ledger.remove(old, path.length)
    this.#ledger.add(size, path.length)
    if (Array.isArray(parent)) parent[Number(name)] = value
    else setField(parent, name, value)
  }

  remove(path: Path): unknown {
    const value = this.read(path)
    this.#ledger.remove(this.#ledger.measure(value), path.length)
    const name = path.at(-1)
    if (name === undefined) {
      this.root = undefined
      return value
    }
    const parent = this.#ownParent(path)
    if (Array.isArray(parent)) this.#splice(parent, Number(name), 1)
    else {
      this.#ledger.removeKey(name)
      this.#countKeys(parent, -1)
      delete parent[name]
    }
    return value
  }

  /** Measures the source before it copies it: a few operations could double a row to any size. */
  copy(path: Path, from: Path): void {
    const value = this.read(from)
    const size = this.#ledger.measure(value)
    this.#ledger.add(size, path.length)
    this.#ledger.remove(size, path.length)
    this.#ledger.spend(2 * size.steps)
    this.add(path, deepCopy(value), size)
  }

  move(path: Path, from: Path): void {
    this.add(path, this.remove(from))
  }

  /** The container of the last name of a path, after it and its ancestors were copied. */
  #ownParent(path: Path): Container {
    let parent = this.#ownOf(this.root)
    this.root = parent
    for (const name of path.slice(0, -1)) {
      const child = this.#ownOf(childOf(parent, name))
      if (Array.isArray(parent)) parent[Number(name)] = child
      else setField(parent, name, child)
      parent = child
    }
    return parent
  }

  #ownOf(value: unknown): Container {
    if (!Array.isArray(value) && !isRecord(value)) throw new MissingPath()
    if (this.#own.has(value)) return value
    const copy = Array.isArray(value) ? value.slice() : { ...value }
    const fields = Array.isArray(copy) ? 0 : Object.keys(copy).length
    this.#ledger.spend(Array.isArray(copy) ? listSteps(copy) : FIELD_STEPS * fields)
    this.#own.set(copy, fields)
    return copy
  }

  #countKeys(parent: Container, difference: 1 | -1): void {
    this.#own.set(parent, (this.#own.get(parent) ?? 0) + difference)
  }

  #splice(list: unknown[], place: number, removed: 0 | 1, ...added: readonly unknown[]): void {
    this.#ledger.spend(listSteps(list))
    list.splice(place, removed, ...added)
  }
}

/** How much longer it takes to copy a field of a wide object than to read an entry of a list. */
const FIELD_STEPS = 10

/** Copying or shifting a list is a memory move: far cheaper than reading its entries. */
function listSteps(list: readonly unknown[]): number {
  return list.length / 16
}

function childOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) {
    const place = placeIn(value, name)
    if (place !== undefined && place < value.length) return value[place]
  } else if (isRecord(value) && Object.hasOwn(value, name)) return value[name]
  throw new MissingPath()
}
