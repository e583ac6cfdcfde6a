import type { Row } from '../../core/engine/types.ts'
import { toText } from '../../core/kernel/catalogue/text.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { getOrMake } from '../../core/kernel/util/get-or-make.ts'
import { TimeSlice } from '../../core/kernel/util/pace.ts'
import type { Maker } from './maker.ts'

/** A key of rows. */
export interface RowKey {
  /** The ids of the rows that it may point at. */
  readonly parents: readonly unknown[]
  /** The keys of the rows that are there. */
  readonly used: readonly unknown[]
  /** Whether no two rows may have the same. */
  readonly isUnique: boolean
}

const DEEPEST = 20

/** The keys in rows by path, also of objects and of lists: `lines.productId`. */
export async function keysIn(
  rows: readonly Row[],
  isKey: (path: string) => boolean,
): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const byPath = new Map<string, unknown[] | 'no key'>()
  const pace = new TimeSlice()
  const look = (value: unknown, path: string, depth: number): void => {
    if (depth > DEEPEST) return
    if (Array.isArray(value)) for (const entry of value) look(entry, path, depth + 1)
    else if (isObject(value)) {
      for (const name of Object.keys(value)) look(value[name], `${path}.${name}`, depth + 1)
    } else if (typeof value === 'string' || typeof value === 'number') {
      const keys = getOrMake(byPath, path, () => (isKey(path) ? [] : 'no key'))
      if (keys !== 'no key') keys.push(value)
    }
  }
  for (const row of rows) {
    for (const name of Object.keys(row)) look(row[name], name, 0)
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  return new Map([...byPath].flatMap(([path, keys]) => (keys === 'no key' ? [] : [[path, keys]])))
}

/** Children of a parent that is made for them. */
const USUAL = 5

/** How many parents are missing for as many rows. */
export function missingParents({ parents, used, isUnique }: RowKey, count: number): number {
  if (isUnique) return Math.max(0, count - without(used, parents).length)
  return parents.length > 0 ? 0 : Math.ceil(count / USUAL)
}

function without(used: readonly unknown[], parents: readonly unknown[]): readonly unknown[] {
  const taken = new Set(used.map(toText))
  return parents.filter((id) => !taken.has(toText(id)))
}

/** As many rows tell that no two of them have the same parent. */
const ENOUGH = 5

/** Keys that point at parents as often as those that there are: a parent with many children gets many more. */
export function keyMaker({ parents, used, isUnique }: RowKey): Maker {
  if (parents.length === 0) return () => null
  const isOneToOne = isUnique || (used.length >= ENOUGH && new Set(used.map(toText)).size === used.length)
  const free = isOneToOne ? [...without(used, parents)] : []
  const ids = new Set(parents.map(toText))
  const known = used.filter((key) => ids.has(toText(key)))
  // Twice, so that the share of each parent stays about the same; one that has no children may get some.
  const likely = [known, known, parents].flat()
  return (random) => {
    if (free.length === 0) return random.pick(likely)
    const at = random.below(free.length)
    const id = free[at]
    free[at] = free.at(-1)
    free.pop()
    return id
  }
}
