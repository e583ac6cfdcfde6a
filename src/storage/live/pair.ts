import { isRecord } from '../../json/values.ts'
import type { Steps } from './steps.ts'

export type Position = number | undefined

/** Where each row is in a list: the row itself or, if its copy has an id, another one with that id. */
export function* pair(
  rows: readonly unknown[],
  list: readonly unknown[],
  id: string,
  copies = rows,
): Steps<readonly Position[]> {
  const most = Math.min(rows.length, list.length)
  let [start, end] = [0, 0]
  while (start < most && rows[start] === list[start]) start++
  while (end < most - start && rows[rows.length - 1 - end] === list[list.length - 1 - end]) end++
  const positions: Position[] = [...rows.keys()]
  for (let at = rows.length - end; at < rows.length; at++) positions[at] = at + list.length - rows.length
  const identical = new Positions(list, start, list.length - end, (row) => row ?? null)
  const found = new Set<Position>()
  for (let at = start; at < rows.length - end; at++) {
    positions[at] = identical.take(rows[at] ?? null)
    found.add(positions[at])
    yield
  }
  const others = new Positions(list, start, list.length - end, (row, at) =>
    found.has(at) ? undefined : idOf(row, id),
  )
  for (let at = start; at < rows.length - end; at++) {
    positions[at] ??= others.take(idOf(copies[at], id))
    yield
  }
  return positions
}

/** Positions in a part of a list, by a key: each is taken once, the first one first. */
export class Positions {
  readonly #first = new Map<unknown, number>()
  readonly #next = new Map<number, number>()

  constructor(
    list: readonly unknown[],
    start: number,
    end: number,
    keyOf: (row: unknown, at: number) => unknown,
  ) {
    for (let at = end - 1; at >= start; at--) {
      const key = keyOf(list[at], at)
      const next = this.#first.get(key)
      if (next !== undefined) this.#next.set(at, next)
      if (key !== undefined) this.#first.set(key, at)
    }
  }

  take(key: unknown): Position {
    const at = this.#first.get(key)
    if (at === undefined) return undefined
    const next = this.#next.get(at)
    if (next === undefined) this.#first.delete(key)
    else this.#first.set(key, next)
    return at
  }
}

export function idOf(row: unknown, id: string): unknown {
  return isRecord(row) ? row[id] : undefined
}

export interface Placed<Item> {
  readonly position: number
  readonly item: Item
}

/** @param added by ascending position, each in what the list becomes */
export function place<Item>(
  list: readonly Item[],
  removed: ReadonlySet<Position>,
  added: readonly Placed<Item>[],
): readonly Item[] {
  const left = removed.size === 0 ? list : list.filter((_, at) => !removed.has(at))
  const placed: Item[] = []
  let next = 0
  for (const { position, item } of added) {
    while (placed.length < position && next < left.length) placed.push(left[next++] as Item)
    placed.push(item)
  }
  while (next < left.length) placed.push(left[next++] as Item)
  return placed
}
