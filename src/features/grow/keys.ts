import { toText } from '../../core/kernel/catalogue/text.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { TimeSlice } from '../../core/kernel/util/pace.ts'
import type { GrownRow, Maker } from './maker.ts'

/** A key of rows. */
export interface RowKey {
  /** The ids of the rows that it may point at. */
  readonly parents: readonly unknown[]
  readonly uses: Uses
  /** Whether no two rows may have the same. */
  readonly isUnique: boolean
}

/** As many rows tell that no two of them have the same parent. */
const ENOUGH = 5

/** How many keys point at each id, as text. */
export type Uses = ReadonlyMap<string, number>

/** Whether each parent has at most one child. */
function isOneToOne(uses: Uses, isUnique: boolean): boolean {
  return isUnique || (uses.size >= ENOUGH && [...uses.values()].every((count) => count === 1))
}

/** How many rows point at each id. */
export async function usesOf(rows: readonly GrownRow[], path: string): Promise<Uses> {
  const uses = new Map<string, number>()
  const pace = new TimeSlice()
  const count = (id: unknown) => {
    if (id === undefined || id === null) return
    const text = toText(id)
    uses.set(text, (uses.get(text) ?? 0) + 1)
  }
  for (const row of rows) {
    for (const id of keysAt(row, path)) count(id)
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  return uses
}

/** Also those in lists, and in objects in lists: `lines.productId`. */
export function keysAt(row: unknown, path: string): readonly unknown[] {
  if (Array.isArray(row)) return row.flatMap((entry) => keysAt(entry, path))
  if (!isObject(row)) return []
  if (Object.hasOwn(row, path)) return [row[path]].flat()
  const [name = '', ...rest] = path.split('.')
  return rest.length > 0 && Object.hasOwn(row, name) ? keysAt(row[name], rest.join('.')) : []
}

/** Paths of fields in objects in rows, however deep, that are called like keys. */
export function innerKeys(rows: readonly GrownRow[], isKey: (name: string) => boolean): ReadonlySet<string> {
  const paths = new Set<string>()
  const look = (value: unknown, path: string, depth: number): void => {
    if (depth > DEEPEST) return
    if (Array.isArray(value)) for (const entry of value) look(entry, path, depth + 1)
    if (!isObject(value)) return
    for (const [name, member] of Object.entries(value)) {
      const inner = path === '' ? name : `${path}.${name}`
      if (path !== '' && isKey(name)) paths.add(inner)
      if (typeof member === 'object') look(member, inner, depth + 1)
    }
  }
  for (const row of rows) look(row, '', 0)
  return paths
}

const DEEPEST = 20

/** How many parents are missing for as many rows: with as many children each as others have. */
export function missingParents({ parents, uses, isUnique }: RowKey, count: number): number {
  if (isUnique) return Math.max(0, count - parents.filter((id) => !uses.has(toText(id))).length)
  if (parents.length > 0 || count === 0) return 0
  const children = [...uses.values()].reduce((sum, each) => sum + each, 0)
  return Math.ceil(count / (uses.size > 0 ? children / uses.size : USUAL))
}

/** Children of a parent, where there are none to learn from. */
const USUAL = 5

/** Keys that point at parents as often as those that there are: a parent with many children gets many more. */
export function keyMaker({ parents, uses, isUnique }: RowKey): Maker {
  if (parents.length === 0) return () => null
  const usesOf = (id: unknown) => uses.get(toText(id)) ?? 0
  const free = isOneToOne(uses, isUnique) ? parents.filter((id) => usesOf(id) === 0) : []
  let likely: readonly unknown[] | undefined
  return (random) => {
    if (free.length > 0) {
      const at = random.below(free.length)
      const id = free[at]
      free[at] = free.at(-1)
      free.pop()
      return id
    }
    // One that has no children may get some.
    likely ??= parents.flatMap((id) => Array.from({ length: 1 + 2 * usesOf(id) }, () => id))
    return random.pick(likely)
  }
}
