import { StorageError } from '../catalogue/error-classes.ts'
import { checkSize, MAX_DEPTH, tooLarge } from './limits.ts'
import { deepCopy, isRecord, setField } from './values.ts'

export type Pointer = readonly string[]

type Container = unknown[] | Record<string, unknown>

/** Of one patch, 0.1 µs each: other writes wait. A thousand operations on a large row use a hundredth. */
const MOST_STEPS = 10_000_000

/** Copying a field of a wide object costs this much more than shifting a list entry, a move of memory. */
const ENTRIES_PER_FIELD = 320
const ENTRIES_PER_STEP = 16

export class Patched {
  /** The value is in the field without a name, where paths start. */
  readonly #top: Record<string, unknown>
  /** Copies made already, which are referenced once and may be mutated. */
  readonly #own = new Set<Container>()
  #hasCopies = false
  #steps = 0

  constructor(value: unknown) {
    this.#top = { '': value }
  }

  /** Refuses a value that is too large before it copies shared parts. */
  finish(): unknown {
    const value = this.#top['']
    checkSize(value)
    return this.#hasCopies ? deepCopy(value) : value
  }

  read(path: Pointer): unknown {
    return path.reduce<unknown>(childOf, this.#top)
  }

  add(path: Pointer, value: unknown): void {
    const [parent, name] = this.#ownParent(path)
    if (Array.isArray(parent)) {
      const index = name === '-' ? parent.length : indexIn(parent, name)
      if (index === undefined) throw missing()
      this.#splice(parent, index, 0, value)
    } else setField(parent, name, value)
  }

  replace(path: Pointer, value: unknown): void {
    this.read(path)
    const [parent, name] = this.#ownParent(path)
    setField(parent, name, value)
  }

  remove(path: Pointer): void {
    this.read(path)
    const [parent, name] = this.#ownParent(path)
    if (Array.isArray(parent)) this.#splice(parent, Number(name), 1)
    else delete parent[name]
  }

  copy(path: Pointer, from: Pointer): void {
    const value = this.read(from)
    // From now on, any part of it may be referenced twice.
    this.#own.clear()
    this.#hasCopies = true
    this.add(path, value)
  }

  move(path: Pointer, from: Pointer): void {
    const isWithin = from.every((name, at) => path[at] === name)
    if (isWithin && path.length > from.length) throw invalidPatch('nothing can be moved into itself')
    const value = this.read(from)
    if (isWithin) return
    this.remove(from)
    this.add(path, value)
  }

  #ownParent(path: Pointer): readonly [Container, string] {
    let parent: Container = this.#top
    for (const name of path.slice(0, -1)) {
      const child = this.#ownOf(childOf(parent, name))
      setField(parent, name, child)
      parent = child
    }
    return [parent, path.at(-1) ?? '']
  }

  #ownOf(value: unknown): Container {
    if (!Array.isArray(value) && !isRecord(value)) throw missing()
    if (this.#own.has(value)) return value
    const copy = Array.isArray(value) ? value.slice() : { ...value }
    const entries = Array.isArray(copy) ? copy.length : ENTRIES_PER_FIELD * Object.keys(copy).length
    this.#spend(entries)
    this.#own.add(copy)
    return copy
  }

  #splice(list: unknown[], index: number, removed: 0 | 1, ...added: readonly unknown[]): void {
    this.#spend(list.length)
    list.splice(index, removed, ...added)
  }

  #spend(entries: number): void {
    this.#steps += entries / ENTRIES_PER_STEP
    if (this.#steps <= MOST_STEPS) return
    throw tooLarge('The patch moves and copies too much altogether; send fewer operations at a time.')
  }
}

function childOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) {
    const index = indexIn(value, name)
    if (index !== undefined && index < value.length) return value[index]
  } else if (isRecord(value) && Object.hasOwn(value, name)) return value[name]
  throw missing()
}

function missing(): StorageError {
  return invalidPatch('there is no such path in the item')
}

function invalidPatch(message: string): StorageError {
  return new StorageError('INVALID_PATCH', message)
}

/** No data has longer names, and unescaping millions of characters takes a second. */
const MAX_POINTER = 64 * 1024

export function isPointer(text: string): boolean {
  if (text.length > MAX_POINTER) return false
  return text === '' || (text.startsWith('/') && !/~(?![01])/.test(text))
}

/** After an empty name for the value itself. Cut at a depth that no value has: it still leads nowhere. */
export function parsePointer(text: string): readonly string[] {
  const names = text.split('/', MAX_DEPTH + 3)
  return text.includes('~') ? names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')) : names
}

/** At most the length; undefined for `01`, `-1`, `1e0` and the like. */
function indexIn(list: readonly unknown[], name: string): number | undefined {
  if (!/^(?:0|[1-9]\d{0,9})$/.test(name)) return undefined
  const index = Number(name)
  return index <= list.length ? index : undefined
}
