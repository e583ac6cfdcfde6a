import { toText } from '../core/kernel/catalogue/text.ts'
import { isObject } from '../core/kernel/json/values.ts'
import { firstAbove } from '../core/kernel/util/first-above.ts'
import { Pace } from '../core/kernel/util/pace.ts'
import type { Random } from '../core/kernel/util/random.ts'
import type { Maker, Row } from './maker.ts'

/** The rows that a key may point at. */
export interface Parents {
  readonly ids: readonly unknown[]
  /** The last of them are new: nothing points at them yet. */
  readonly added: number
}

/** A key of rows. */
export interface Key {
  readonly parents: Parents
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
export async function usesOf(rows: readonly Row[], path: string): Promise<Uses> {
  const uses = new Map<string, number>()
  const pace = new Pace()
  const count = (id: unknown) => {
    if (id === undefined || id === null) return
    const text = toText(id)
    uses.set(text, (uses.get(text) ?? 0) + 1)
  }
  for (const row of rows) {
    for (const id of keysAt(row, path)) count(id)
    if (pace.isDue) await pace.turn()
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
export function innerKeys(rows: readonly Row[], isKey: (name: string) => boolean): ReadonlySet<string> {
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
export function missingParents({ parents: { ids }, uses, isUnique }: Key, count: number): number {
  if (isUnique) return Math.max(0, count - ids.filter((id) => !uses.has(toText(id))).length)
  if (ids.length > 0 || count === 0) return 0
  const children = [...uses.values()].reduce((sum, each) => sum + each, 0)
  return Math.ceil(count / (uses.size > 0 ? children / uses.size : USUAL))
}

/** Children of a parent, where there are none to learn from. */
const USUAL = 5

/**
 * Keys that point at parents as often as those that there are: a parent with many children gets many more, and a new
 * one as many as another has.
 */
export function keyMaker({ parents, uses, isUnique }: Key): Maker {
  const { ids } = parents
  if (ids.length === 0) return () => null
  const free = isOneToOne(uses, isUnique) ? ids.filter((id) => !uses.has(toText(id))) : []
  let ends: readonly number[] | undefined
  return (random) => {
    if (free.length > 0) {
      const at = random.below(free.length)
      const id = free[at]
      free[at] = free.at(-1)
      free.pop()
      return id
    }
    ends ??= weigh(parents, uses, random)
    return ids[firstAbove(ends, random.below(ends.at(-1) ?? 0))]
  }
}

/** Sums of weights, up to each parent. One that has no children may get some. */
function weigh({ ids, added }: Parents, uses: Uses, random: Random): readonly number[] {
  const old = ids.slice(0, ids.length - added).map((id) => uses.get(toText(id)) ?? 0)
  const likely = old.length > 0 ? old : [0]
  let sum = 0
  return ids.map((_, at) => {
    sum += 2 * (old[at] ?? random.pick(likely)) + 1
    return sum
  })
}
