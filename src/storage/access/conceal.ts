import type { Commit } from '../data/commit.ts'
import type { Database } from '../data/database.ts'
import { Table } from '../data/table.ts'
import { isRow } from '../is-row.ts'
import type { Rules } from '../resource-rules.ts'
import type { Row } from '../types.ts'
import { hiddenNames, hideFields, withHidden } from './hidden-fields.ts'

export type HiddenNames = ReadonlyMap<string, readonly string[]>

export function hiddenIn(rules: Rules | undefined): HiddenNames {
  const hidden = [...(rules?.resources ?? [])].map(([name, { hidden = [] }]) => [name, hidden] as const)
  return new Map(hidden.filter(([, names]) => names.length > 0))
}

/** The data with these fields hidden, instead of those that were before. */
export function concealDatabase(database: Database, hidden: HiddenNames, before?: HiddenNames): Database {
  let next = database
  for (const name of new Set([...(before?.keys() ?? []), ...hidden.keys()])) {
    const table = next.table(name)
    if (!table) continue
    const names = hidden.get(name) ?? []
    const rows = table.rows.items()
    const concealed = rows.map((row) => hideOnly(row, names))
    if (rows.some((row, at) => row !== concealed[at])) {
      next = next.with(name, Table.of(concealed, table.rows.ranks()))
    }
  }
  return next
}

export function concealCommit(commit: Commit, hidden: HiddenNames): Commit {
  if (hidden.size === 0 || !commit.effects) return commit
  const effects = commit.effects.map((effect) => {
    const names = hidden.get(effect.name)
    if (effect.kind === 'object' || !names) return effect
    const rows = effect.rows.map(({ rank, before, after }) => ({
      rank,
      ...(before !== undefined && { before: hideOnly(before, names) }),
      ...(after !== undefined && { after: hideOnly(after, names) }),
    }))
    return { ...effect, rows }
  })
  return { ...commit, effects }
}

export function hidesSame(a: HiddenNames, b: HiddenNames): boolean {
  return [...a.keys(), ...b.keys()].every((name) => String(a.get(name) ?? '') === String(b.get(name) ?? ''))
}

function hideOnly(row: Row, names: readonly string[]): Row {
  if (!isRow(row)) return row
  const isOther = hiddenNames(row).some((name) => !names.includes(name))
  return hideFields(isOther ? withHidden(row) : row, names)
}
