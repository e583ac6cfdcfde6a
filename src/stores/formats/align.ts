import { isObject, isSameJson } from '../../core/kernel/json/values.ts'

/** A place in a changed list: an old item, unless it is new, and its value, unless it is removed. */
export interface Slot<Old> {
  readonly old?: Old
  /** Undefined if it is removed. */
  readonly value?: unknown
}

/**
 * Which old item each value of a list was, in an order that has both: the old items never change places.
 * @param id the field that tells rows apart
 */
export function align<Old>(
  olds: readonly Old[],
  read: (old: Old) => unknown,
  values: readonly unknown[],
  id = 'id',
): Slot<Old>[] {
  const isSame = (old: Old | undefined, value: unknown) => old !== undefined && isSameJson(read(old), value)
  const most = Math.min(olds.length, values.length)
  let start = 0
  while (start < most && isSame(olds[start], values[start])) start++
  let end = 0
  while (end < most - start && isSame(olds.at(-1 - end), values.at(-1 - end))) end++
  const pair = (value: unknown, at: number) => ({ old: olds[at] as Old, value })
  return [
    ...values.slice(0, start).map(pair),
    ...alignByKey(olds.slice(start, olds.length - end), read, values.slice(start, values.length - end), id),
    ...values.slice(values.length - end).map((value, at) => pair(value, olds.length - end + at)),
  ]
}

function alignByKey<Old>(
  olds: readonly Old[],
  read: (old: Old) => unknown,
  values: readonly unknown[],
  id: string,
): Slot<Old>[] {
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

/** The key that identifies an item: its id, or else its first field. */
function keyOf(value: unknown, id: string): string {
  return JSON.stringify(idOf(value, id) ?? (isObject(value) ? Object.entries(value)[0] : value))
}

/** Rows in rows are not of a collection: their field for it is nearly always called so. */
function idOf(value: unknown, id: string): object | undefined {
  if (!isObject(value)) return undefined
  const name = [id, 'id'].find((field) => Object.hasOwn(value, field))
  return name === undefined ? undefined : { id: value[name] }
}
