import { OPERATORS } from '../../kernel/catalogue/operators.ts'
import type { Table } from '../data/table.ts'
import type { Condition, Where } from '../types.ts'
import { flatten, leavesOf } from '../where.ts'
import { byBounds, byEquality, byPairs, byPrefixes, type Candidates, union } from './candidates.ts'
import { startsIn } from './like.ts'
import { FEWEST_ROWS } from './scan.ts'

/** At this fraction of the rows, testing them is faster than another index. */
const FEW = 1 / 64
/** Lookups per query: each may build an index. */
const MOST_LOOKUPS = 12

/** The smallest set of candidates that an index yields; undefined if none applies. */
export async function narrow(
  table: Table,
  where: readonly Where[],
  id: string,
): Promise<Candidates | undefined> {
  if (table.size < FEWEST_ROWS) return undefined
  let best: Candidates | undefined
  const indexed = where.filter(canLookUp)
  // The cheapest and most selective first.
  if (indexed.length > 1) indexed.sort((a, b) => costOf(a, id) - costOf(b, id))
  for (const one of indexed.slice(0, MOST_LOOKUPS)) {
    const candidates = await lookUp(table, one, where, id)
    if (candidates && (!best || candidates.size < best.size)) best = candidates
    if (best && best.size <= table.size * FEW) break
  }
  return best
}

function canLookUp(where: Where): boolean {
  if ('path' in where) {
    return (
      OPERATORS[where.op].index !== undefined && (where.op !== 'like' || startsIn(where.values) !== undefined)
    )
  }
  if ('not' in where || new Set(leavesOf(where).map(({ path }) => path)).size > MOST_LOOKUPS) return false
  return 'or' in where ? where.or.every(canLookUp) : where.and.some(canLookUp)
}

function costOf(where: Where, id: string): number {
  if (!('path' in where)) return 4
  if (OPERATORS[where.op].index === 'keys') return where.path === id ? 0 : 1
  return isBound(where) ? 2 : 3
}

/** Whether a condition is one range. Several pairs are several. */
function isBound({ op, values }: Condition): boolean {
  const { index, takes } = OPERATORS[op]
  return typeof index === 'object' && (takes !== 'pair' || values.length === 2)
}

/** @param among all conditions that must pass: bounds on one column are combined */
async function lookUp(
  table: Table,
  where: Where,
  among: readonly Where[],
  id: string,
): Promise<Candidates | undefined> {
  if ('or' in where) return lookUpAny(table, where, id)
  if ('and' in where) return lookUpAll(table, where, id)
  if ('not' in where || !canLookUp(where)) return undefined
  const { path, op } = where
  if (OPERATORS[op].index === 'keys') return byEquality(table, where, id)
  if (OPERATORS[op].index === 'prefix') return byPrefixes(table, where)
  if (!isBound(where)) return byPairs(table, where)
  const bounds = among.filter((one): one is Condition => 'path' in one && one.path === path && isBound(one))
  return byBounds(table, path, bounds)
}

/** Every part needs candidates, since a row may pass any of them. */
async function lookUpAny(
  table: Table,
  group: Extract<Where, { readonly or: unknown }>,
  id: string,
): Promise<Candidates | undefined> {
  const parts: Candidates[] = []
  for (const part of group.or) {
    const candidates = await lookUp(table, part, [part], id)
    if (!candidates) return undefined
    parts.push(candidates)
  }
  const isSettled = parts.every(({ settled }, at) => settled.some((one) => one === group.or[at]))
  return union(parts, isSettled ? [group] : [])
}

async function lookUpAll(
  table: Table,
  group: Extract<Where, { readonly and: unknown }>,
  id: string,
): Promise<Candidates | undefined> {
  const parts = flatten(group.and)
  const best = await narrow(table, parts, id)
  const isSettled = parts.every((part) => best?.settled.includes(part))
  return best && { ...best, settled: isSettled ? [group] : [] }
}
