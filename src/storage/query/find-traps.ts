import { hasField } from '../data/fields.ts'
import type { Table } from '../data/table.ts'
import type { Condition, Ignored, ListQuery, Naming, Row, Selection } from '../types.ts'
import { everyLeaf, parameterOf } from '../where.ts'
import { compilePath, somePath } from './path.ts'
import { EVERY_ROW, select } from './select.ts'

const MOST = { conditions: 20, rows: 100 } as const

/** Conditions that are valid but hardly intended: `tag_ids=2` on lists, `agent_id=null`. */
export async function findTraps(
  table: Table,
  naming: Naming,
  query: ListQuery,
  { items: [first], total }: Pick<Selection, 'items' | 'total'>,
): Promise<readonly Ignored[]> {
  const traps: Ignored[] = []
  let sample: readonly Row[] | undefined
  for (const leaf of everyLeaf(query).slice(0, MOST.conditions)) {
    const condition = leaf.orElse ?? leaf
    if (leaf.required || !MEANT.has(condition.op)) continue
    const mayBeNull = condition.values.includes('null')
    // With a comma, the whole list is meant.
    const isOne = condition.op !== 'in' && condition.values.some((value) => !value.includes(','))
    const mayBeList = isOne && (total === 0 || (first && holdsList([first], condition, 1)))
    if (!mayBeNull && !mayBeList) continue
    if (leaf.orElse && (await hasField(table, leaf.path))) continue
    if (mayBeNull && (await isNullMissed(table, naming, condition))) traps.push(nullTrap(leaf, condition))
    if (!mayBeList) continue
    sample ??= table.rows.items(0, MOST.rows)
    if (holdsList(sample, condition, 2)) traps.push(listTrap(leaf, condition))
  }
  return traps
}

const MEANT: ReadonlySet<string> = new Set(['eq', 'ne', 'in'])

function holdsList(rows: readonly Row[], { path: text }: Condition, least: number): boolean {
  const path = compilePath(text)
  const isLong = (value: unknown) => Array.isArray(value) && value.length >= least && value.every(isPlain)
  for (const row of rows) if (somePath(row, path, isLong)) return true
  return false
}

function isPlain(entry: unknown): boolean {
  return typeof entry !== 'object' || entry === null
}

/** Whether rows have the field, and none with the text "null". For `ne`, null never passes anyway. */
async function isNullMissed(table: Table, naming: Naming, { path, op }: Condition): Promise<boolean> {
  if (op === 'ne' || path === naming.id || !(await hasField(table, path))) return false
  const where = [{ path, op: 'in', values: ['null'], required: true }] as const
  return (await select(table, { ...EVERY_ROW, where }, naming)).total === 0
}

function nullTrap(leaf: Condition, { path }: Condition): Ignored {
  const detail = leaf.place === undefined ? `${path}_null=true` : `{"${path}":null}`
  return { name: nameOf(leaf), reason: 'null is a string', detail }
}

function listTrap(leaf: Condition, { path, op }: Condition): Ignored {
  const operator = op === 'ne' ? 'nin' : 'in'
  const detail = leaf.place === undefined ? `${path}_${operator}` : `{"${path}":{"${operator}":[…]}}`
  return { name: nameOf(leaf), reason: 'compares whole lists', detail }
}

function nameOf(leaf: Condition): string {
  return leaf.place ?? parameterOf(leaf)
}
