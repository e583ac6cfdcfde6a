import { isObject, isSameJson } from '../../json/values.ts'

/** A place in a changed list: an old item, unless it is new, and its value, unless it is removed. */
export interface Slot<Old> {
  readonly old?: Old
  /** Undefined if it is removed. */
  readonly value?: unknown
}

/** Which old item each value of a list was, in an order that has both: the old items never change places. */
export function align<Old>(
  olds: readonly Old[],
  read: (old: Old) => unknown,
  values: readonly unknown[],
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
    ...alignByKey(olds.slice(start, olds.length - end), read, values.slice(start, values.length - end)),
    ...values.slice(values.length - end).map((value, at) => pair(value, olds.length - end + at)),
  ]
}

function alignByKey<Old>(
  olds: readonly Old[],
  read: (old: Old) => unknown,
  values: readonly unknown[],
): Slot<Old>[] {
  const places = new Map<unknown, number[]>()
  for (const [at, old] of olds.entries()) {
    const key = keyOf(read(old))
    places.set(key, [...(places.get(key) ?? []), at])
  }
  const wanted = new Set(values.map(keyOf))
  const slots: Slot<Old>[] = []
  let next = 0
  const removeUpTo = (end: number) => {
    for (; next < end; next++) slots.push({ old: olds[next] as Old })
  }
  for (const value of values) {
    const at = places.get(keyOf(value))?.find((place) => place >= next)
    const old = olds[next]
    const isReplaced =
      old !== undefined && isFlat(value) && isFlat(read(old)) && !wanted.has(keyOf(read(old)))
    if (at === undefined && !isReplaced) slots.push({ value })
    else {
      removeUpTo(at ?? next)
      slots.push({ old: olds[next++] as Old, value })
    }
  }
  removeUpTo(olds.length)
  return slots
}

function isFlat(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

/** What tells items apart: the first field of a row, which is nearly always its id. */
function keyOf(value: unknown): string {
  const [first] = isObject(value) ? Object.entries(value) : []
  return JSON.stringify(first ?? value)
}
