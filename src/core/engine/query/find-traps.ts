import { TimeSlice } from '../../kernel/util/pace.ts'
import { hasField } from '../data/fields.ts'
import type { Table } from '../data/table.ts'
import type { Condition, Ignored, ListQuery, Row, Selection } from '../types.ts'
import { everyLeaf, parameterOf } from '../where.ts'
import { compilePath, somePath } from './path.ts'
import { EVERY_ROW, select } from './select.ts'

const MOST = { conditions: 20, rows: 100 } as const

/** Conditions that are valid but hardly intended: `tag_ids=2` on lists, `agent_id=null`, `agent_id=undefined`. */
export async function findTraps(
  table: Table,
  id: string,
  query: ListQuery,
  { items: [first], total }: Pick<Selection, 'items' | 'total'>,
): Promise<readonly Ignored[]> {
  const traps: Ignored[] = []
  const pace = new TimeSlice()
  let sample: readonly Row[] | undefined
  for (const leaf of everyLeaf(query).slice(0, MOST.conditions)) {
    const condition = leaf.orElse ?? leaf
    if (leaf.required || !MEANT.has(condition.op)) continue
    const nothing = NOTHINGS.find((value) => condition.values.includes(value))
    // With a comma, the whole list is meant.
    const isOne = condition.op !== 'in' && condition.values.some((value) => !value.includes(','))
    const mayBeList = isOne && (total === 0 || (first && (await holdsList([first], condition, 1, pace))))
    if (!nothing && !mayBeList) continue
    if (leaf.orElse && (await hasField(table, leaf.path))) continue
    if (nothing && (await isMissed(table, id, condition, nothing)))
      traps.push(nothingTrap(leaf, condition, nothing))
    if (!mayBeList) continue
    sample ??= table.rows.items(0, MOST.rows)
    if (await holdsList(sample, condition, 2, pace)) traps.push(listTrap(leaf, condition))
  }
  return traps
}

/** Strings that a client makes of a variable without a value. */
const NOTHINGS = ['null', 'undefined'] as const

type Nothing = (typeof NOTHINGS)[number]

const MEANT: ReadonlySet<string> = new Set(['eq', 'ne', 'in'])

async function holdsList(
  rows: readonly Row[],
  { path: text }: Condition,
  least: number,
  pace: TimeSlice,
): Promise<boolean> {
  const path = compilePath(text)
  const isLong = (value: unknown) => Array.isArray(value) && value.length >= least && value.every(isPlain)
  for (const row of rows) {
    // A row may have a list of millions on the way.
    if (pace.isUsedUp) await pace.yieldToEventLoop()
    if (somePath(row, path, isLong)) return true
  }
  return false
}

function isPlain(entry: unknown): boolean {
  return typeof entry !== 'object' || entry === null
}

/** Whether rows have the field, and none with this text. For `ne`, null never passes anyway. */
async function isMissed(
  table: Table,
  id: string,
  { path, op }: Condition,
  nothing: Nothing,
): Promise<boolean> {
  if (op === 'ne' || path === id || !(await hasField(table, path))) return false
  const where = [{ path, op: 'in', values: [nothing], required: true }] as const
  return (await select(table, { ...EVERY_ROW, where }, id)).total === 0
}

function nothingTrap(leaf: Condition, { path }: Condition, nothing: Nothing): Ignored {
  const detail = leaf.place === undefined ? `${path}_null=true` : `{"${path}":null}`
  return { name: nameOf(leaf), reason: `${nothing} is a string`, detail }
}

function listTrap(leaf: Condition, { path, op }: Condition): Ignored {
  const operator = op === 'ne' ? 'nin' : 'in'
  const detail = leaf.place === undefined ? `${path}_${operator}` : `{"${path}":{"${operator}":[…]}}`
  return { name: nameOf(leaf), reason: 'compares whole lists', detail }
}

function nameOf(leaf: Condition): string {
  return leaf.place ?? parameterOf(leaf)
}
