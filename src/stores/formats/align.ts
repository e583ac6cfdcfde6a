import type { Naming } from '../../core/engine/types.ts'
import { isObject } from '../../core/kernel/json/values.ts'

/** A place in a changed list: an old item, unless it is new, and its value, unless it is removed. */
export interface Slot<Old> {
  readonly old?: Old
  /** Undefined if it is removed. */
  readonly value?: unknown
}

/** The field that tells rows apart: of all, or of each collection of a database. */
export type IdNames = string | Pick<Naming, 'id' | 'ids'>

/** @param name of the collection that a part of a database is; undefined for what is not */
export function idsOf(name: string | undefined, names: IdNames | undefined): IdNames | undefined {
  if (name === undefined || typeof names !== 'object') return names
  return names.ids?.get(name) ?? names.id
}

/**
 * Which old item each value of a list was, in an order that has both: the old items never change places.
 * @param ids the field that tells rows apart
 */
export function align<Old>(
  olds: readonly Old[],
  read: (old: Old) => unknown,
  values: readonly unknown[],
  ids: IdNames = 'id',
): Slot<Old>[] {
  const id = typeof ids === 'string' ? ids : ids.id
  const keys = olds.map((old) => keyOf(read(old), id))
  const places = new Map<string, number[]>()
  for (const [at, key] of [...keys.entries()].reverse()) {
    const same = places.get(key)
    if (same) same.push(at)
    else places.set(key, [at])
  }
  const wanted = new Set(values.map((value) => keyOf(value, id)))
  const slots: Slot<Old>[] = []
  let next = 0
  const removeUpTo = (end: number) => {
    for (; next < end; next++) slots.push({ old: olds[next] as Old })
  }
  const nextPlace = (key: string): number | undefined => {
    const same = places.get(key) ?? []
    while ((same.at(-1) ?? next) < next) same.pop()
    return same.at(-1)
  }
  for (const value of values) {
    const at = nextPlace(keyOf(value, id))
    const old = olds[next]
    const isReplaced =
      old !== undefined &&
      idOf(value, id) === undefined &&
      idOf(read(old), id) === undefined &&
      !wanted.has(keys[next] ?? '')
    if (at === undefined && !isReplaced) slots.push({ value })
    else {
      removeUpTo(at ?? next)
      slots.push({ old: olds[next++] as Old, value })
    }
  }
  removeUpTo(olds.length)
  return slots
}

/** The key that identifies an item: its id, or else all of it. */
function keyOf(value: unknown, id: string): string {
  return JSON.stringify(idOf(value, id) ?? value)
}

/** Rows in rows are not of a collection: their field for it is nearly always called so. */
function idOf(value: unknown, id: string): object | undefined {
  if (!isObject(value)) return undefined
  const name = [id, 'id'].find((field) => Object.hasOwn(value, field))
  return name === undefined ? undefined : { id: value[name] }
}

/** An item of a list, or a field of an object, in a text. */
export interface OldEntry {
  /** Undefined in a list. */
  readonly name?: string | undefined
  readonly value: unknown
}

/** An entry that stays, goes (without a value) or comes. */
export type EntrySlot<Entry> = Slot<Entry> & { readonly name?: string | undefined }

/** Entries of a list or object, those that stay, go and come for a new value. Undefined if that is of another kind. */
export function slotsOf<Entry extends OldEntry>(
  entries: readonly Entry[],
  old: unknown,
  value: unknown,
  ids?: IdNames,
): readonly EntrySlot<Entry>[] | undefined {
  if (Array.isArray(old) && Array.isArray(value)) return align(entries, (entry) => entry.value, value, ids)
  if (!isObject(old) || !isObject(value)) return undefined
  // Of a name that is there twice, only the last one counts.
  const lasts = new Map(entries.map((entry) => [entry.name, entry]))
  const present = entries.map((entry): EntrySlot<Entry> => {
    const { name = '' } = entry
    if (!Object.hasOwn(value, name)) return { old: entry }
    return { old: entry, name, value: lasts.get(name) === entry ? value[name] : entry.value }
  })
  const added = Object.keys(value).filter((name) => !lasts.has(name))
  return [...present, ...added.map((name) => ({ name, value: value[name] }))]
}
