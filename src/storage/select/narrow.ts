import type { Table } from '../data/table.ts'
import type { Compiled, CompiledCondition, CompiledGroup } from '../query/compile-where.ts'
import type { Naming } from '../types.ts'
import { byAlternatives, byBounds, byEquality, type Candidates, union } from './candidates.ts'
import { FEWEST_ROWS } from './scan.ts'

/** Once this fraction of the rows is left, testing them is faster than another index. */
const FEW = 1 / 64
/** Columns that are looked up for one query: each may need an index. */
const MOST_COLUMNS = 12
/** Groups that are looked up for one query: each may need several indexes. */
const MOST_GROUPS = 4

/** The fewest rows that an index leaves of those that can pass; undefined if none can tell. */
export async function narrow(
  table: Table,
  conditions: readonly Compiled[],
  naming: Naming,
): Promise<Candidates | undefined> {
  if (table.size < FEWEST_ROWS) return undefined
  let best: Candidates | undefined
  for (const look of lookUps(table, conditions, naming)) {
    const found = await look()
    if (found && (!best || found.size < best.size)) best = found
    if (best && best.size <= table.size * FEW) break
  }
  return best
}

type LookUp = () => Promise<Candidates | undefined>

/** The cheapest and most selective first. */
function lookUps(table: Table, compiled: readonly Compiled[], { id }: Naming): readonly LookUp[] {
  const conditions = compiled.filter((one) => one.kind === 'condition')
  const equal = conditions.filter(({ op }) => op === 'eq' || op === 'in')
  const bounded = conditions.filter(isBound)
  const paths = [...new Set(bounded.map(({ path }) => path))].slice(0, MOST_COLUMNS)
  const others = conditions.filter((one) => canLookUp(one) && !equal.includes(one) && !isBound(one))
  const groups = compiled.filter((one) => one.kind !== 'condition' && canLookUp(one))
  return [
    ...equal
      .toSorted((a, b) => Number(b.path === id) - Number(a.path === id))
      .slice(0, MOST_COLUMNS)
      .map((one) => () => byEquality(table, one, one.path === id ? 'id' : 'equality')),
    ...paths.map(
      (path) => () =>
        byBounds(
          table,
          path,
          bounded.filter((one) => one.path === path),
        ),
    ),
    ...others.slice(0, MOST_COLUMNS).map((one) => () => byAlternatives(table, one)),
    ...groups.slice(0, MOST_GROUPS).map((one) => () => lookUp(table, one, id)),
  ]
}

/** Whether a condition leaves one range. Several pairs leave several. */
function isBound({ op, values }: CompiledCondition): boolean {
  return BOUNDS.has(op) || (op === 'between' && values.length === 2)
}

const BOUNDS: ReadonlySet<string> = new Set(['gte', 'lte', 'gt', 'lt'])
const INDEXED: ReadonlySet<string> = new Set([...BOUNDS, 'eq', 'in', 'between', 'startsWith'])

/** Whether an index could tell, judging by the condition. */
function canLookUp(compiled: Compiled): boolean {
  if (compiled.kind === 'condition') return INDEXED.has(compiled.op)
  if (compiled.kind === 'not' || pathsIn(compiled).size > MOST_COLUMNS) return false
  return compiled.kind === 'or' ? compiled.parts.every(canLookUp) : compiled.parts.some(canLookUp)
}

function pathsIn(compiled: Compiled): ReadonlySet<string> {
  if (compiled.kind === 'condition') return new Set([compiled.path])
  return new Set(compiled.parts.flatMap((part) => [...pathsIn(part)]))
}

async function lookUp(table: Table, compiled: Compiled, id: string): Promise<Candidates | undefined> {
  if (!canLookUp(compiled)) return undefined
  if (compiled.kind !== 'condition')
    return compiled.kind === 'or' ? any(table, compiled, id) : all(table, compiled, id)
  if (compiled.op === 'eq' || compiled.op === 'in') {
    return byEquality(table, compiled, compiled.path === id ? 'id' : 'equality')
  }
  return isBound(compiled) ? byBounds(table, compiled.path, [compiled]) : byAlternatives(table, compiled)
}

/** Every part must be found: a row may pass any of them. */
async function any(table: Table, group: CompiledGroup, id: string): Promise<Candidates | undefined> {
  const parts: Candidates[] = []
  for (const part of group.parts) {
    const found = await lookUp(table, part, id)
    if (!found) return undefined
    parts.push(found)
  }
  const isSettled = parts.every(({ settled }, at) => settled.some((one) => one === group.parts[at]))
  return union(parts, isSettled ? [group] : [])
}

/** The smallest part is enough, since a row must pass all of them. */
async function all(table: Table, group: CompiledGroup, id: string): Promise<Candidates | undefined> {
  let best: Candidates | undefined
  for (const part of group.parts) {
    const found = await lookUp(table, part, id)
    if (found && (!best || found.size < best.size)) best = found
  }
  const isSettled = group.parts.length === 1 && best?.settled.some((one) => one === group.parts[0])
  return best && { ...best, size: best.size, settled: isSettled ? [group] : [] }
}
