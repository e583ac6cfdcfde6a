import type { Compiled, CompiledCondition } from '../query/compile-where.ts'
import type { Table } from '../table/table.ts'
import type { Naming } from '../types.ts'
import { type Answer, foundInterval, foundRanks, unite } from './found.ts'

/** The context of an index lookup. */
export interface Asking {
  readonly table: Table
  readonly naming: Naming
  /** How long to hold the event loop at a time, in milliseconds. */
  readonly slice: number | undefined
}

/** Undefined if no index can tell; a promise if one is still being built. */
export type Asked = Answer | Promise<void> | undefined

/** If more than this fraction of the rows must be tested anyway, an index is useless. */
const MOST_CROWDED = 4

/** Whether the condition identifies a row by id. A dotted path may lead elsewhere; even a string has a length. */
export function isById({ table, naming: { id } }: Asking, { path, op }: CompiledCondition): boolean {
  if (path !== id || !(op === 'eq' || op === 'in') || !/^\w+$/.test(id) || id === 'length') return false
  return !table.hasDuplicates && !(op === 'in' && table.hasListsAsIds)
}

/** The table knows its ids anyway: they need no separate index. */
export function askIds({ table }: Asking, { path, values }: CompiledCondition): Answer {
  const positions = [...new Set(values)].map((text) => table.positionOf(text)).filter((at) => at >= 0)
  const ranks = positions.map((at) => table.indexes.order.rankAt(at)).sort((a, b) => a - b)
  return foundRanks(ranks, [], { kind: 'id', path })
}

/** For `eq` and `in`. */
export function askEquality({ table, slice }: Asking, condition: CompiledCondition): Asked {
  const { path, op, values } = condition
  const index = op === 'in' ? table.indexes.entries(path, slice) : table.indexes.equality(path, slice)
  if (!index || index instanceof Promise) return index
  const ranks = index.crowded * MOST_CROWDED <= table.rows.length ? index.ranksOf(values) : undefined
  const kind = index.isOfEntries ? 'entries' : 'equality'
  return ranks && foundRanks(ranks, index.crowded > 0 ? [] : [condition], { kind, path })
}

/** For bounds on one column, all of which must hold. */
export function askRange(
  { table, slice }: Asking,
  path: string,
  bounds: readonly CompiledCondition[],
): Asked {
  const index = table.indexes.sorted(path, slice)
  if (!index || index instanceof Promise) return index
  const interval = index.within(bounds)
  return interval && foundInterval(index, interval, bounds, { kind: 'sorted', path })
}

/** Whether a condition is a bound of one interval. Several pairs are several intervals. */
export function isRange({ op, values }: CompiledCondition): boolean {
  return RANGES.has(op) || (op === 'between' && values.length === 2)
}

const RANGES: ReadonlySet<string> = new Set(['gte', 'lte', 'gt', 'lt'])

/** For several pairs of `between`, and for `startsWith`: each value has its interval. */
export function askIntervals({ table, slice }: Asking, condition: CompiledCondition): Asked {
  const { path, op, values } = condition
  const index = op === 'between' ? table.indexes.sorted(path, slice) : table.indexes.folded(path, slice)
  if (!index || index instanceof Promise) return index
  const kind = op === 'between' ? 'sorted' : 'prefix'
  const answers: Answer[] = []
  const step = op === 'between' ? 2 : 1
  for (let at = 0; at < values.length; at += step) {
    const some = values.slice(at, at + step)
    const interval =
      op === 'between' ? index.within([{ op, values: some }]) : index.startingWith(some[0] ?? '')
    if (!interval) return undefined
    answers.push(foundInterval(index, interval, [condition], { kind, path }))
  }
  const [only] = answers
  if (only && answers.length === 1) return only
  return foundRanks(unite(table.indexes.order.slots.length, answers), [condition], { kind, path })
}

/** Whether an index could answer it, judging by the condition. */
export function canAsk(compiled: Compiled): boolean {
  switch (compiled.kind) {
    case 'condition':
      return INDEXED.has(compiled.op)
    case 'and':
      return compiled.parts.some(canAsk)
    case 'or':
      return compiled.parts.every(canAsk)
    case 'not':
      return false
  }
}

const INDEXED: ReadonlySet<string> = new Set([...RANGES, 'eq', 'in', 'between', 'startsWith'])

/** For anything inside `or` or `and`. */
export function askAny(asking: Asking, compiled: Compiled): Asked {
  if (!canAsk(compiled)) return undefined
  if (compiled.kind === 'or') return askAll(asking, compiled)
  if (compiled.kind === 'and') return askFirst(asking, compiled)
  return compiled.kind === 'condition' ? askCondition(asking, compiled) : undefined
}

function askCondition(asking: Asking, condition: CompiledCondition): Asked {
  if (isById(asking, condition)) return askIds(asking, condition)
  if (condition.op === 'eq' || condition.op === 'in') return askEquality(asking, condition)
  return isRange(condition) ? askRange(asking, condition.path, [condition]) : askIntervals(asking, condition)
}

/** Every part needs an answer: a row may pass any of them. */
function askAll(asking: Asking, group: Compiled & { kind: 'or' | 'and' | 'not' }): Asked {
  const answers: Answer[] = []
  for (const part of group.parts) {
    const answer = askAny(asking, part)
    if (!answer || answer instanceof Promise) return answer
    answers.push(answer)
  }
  const ranks = unite(asking.table.indexes.order.slots.length, answers)
  const isSettled = answers.every(({ settled }, at) => settled.some((one) => one === group.parts[at]))
  const uses = answers.flatMap((answer) => answer.uses)
  return { found: { kind: 'ranks', ranks }, size: ranks.length, settled: isSettled ? [group] : [], uses }
}

/** The smallest answer to any part is enough, since a row must pass all of them. */
function askFirst(asking: Asking, group: Compiled & { kind: 'or' | 'and' | 'not' }): Asked {
  let best: Answer | undefined
  for (const part of group.parts.filter(canAsk)) {
    const answer = askAny(asking, part)
    if (answer instanceof Promise) return answer
    if (answer && (!best || answer.size < best.size)) best = answer
  }
  const isSettled = best?.settled.some((one) => group.parts.length === 1 && one === group.parts[0])
  return best && { ...best, settled: isSettled ? [group] : [] }
}
