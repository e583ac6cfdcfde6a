import type { Table } from '../data/table.ts'
import { isRow } from '../is-row.ts'

/** How much is looked at: names are for suggestions, so a sample will do. */
const MOST = { rows: 100, names: 200, levels: 3 } as const

/** Names of the fields that rows have, with dots for those inside objects. A sample from all over the list. */
export function fieldNames({ rows }: Table): readonly string[] {
  const names = new Set<string>()
  const step = Math.max(1, Math.floor(rows.size / MOST.rows))
  for (let at = 0, seen = 0; at < rows.size && seen < MOST.rows; at += step, seen++) {
    addNames(rows.itemAt(at), '', 1, names)
  }
  return [...names]
}

function addNames(value: unknown, prefix: string, level: number, names: Set<string>): void {
  if (!isRow(value)) return
  for (const name of Object.keys(value)) {
    if (names.size >= MOST.names) return
    // No path leads there.
    if (prefix !== '' && name.includes('.')) continue
    names.add(prefix + name)
    if (level < MOST.levels) addNames(value[name], `${prefix}${name}.`, level + 1, names)
  }
}
