import { isObject } from '../../json/values.ts'
import type { Commit } from '../data/commit.ts'
import type { Database } from '../data/database.ts'
import { Table } from '../data/table.ts'
import type { ResourceRules, Rules } from '../resource-rules.ts'
import type { Row } from '../types.ts'
import { withComputed, withoutComputed } from './computed-fields.ts'
import { hideOnly } from './hidden-fields.ts'

/** How rows differ from what is stored, by resource: some fields are hidden, others are computed. */
export type ServedFields = ReadonlyMap<string, Pick<ResourceRules, 'hidden' | 'computed'>>

export function servedIn(rules: Rules | undefined): ServedFields {
  const all = [...(rules?.resources ?? [])].map(([name, { hidden = [], computed }]) => {
    return [name, { hidden, computed }] as const
  })
  return new Map(all.filter(([, { hidden, computed }]) => hidden.length > 0 || computed))
}

export function isSameFields(a: ServedFields, b: ServedFields): boolean {
  return [...a.keys(), ...b.keys()].every((name) => {
    const [one, other] = [a.get(name), b.get(name)]
    return String(one?.hidden ?? '') === String(other?.hidden ?? '') && one?.computed === other?.computed
  })
}

export function servedDatabase(database: Database, fields: ServedFields): Database {
  let next = database
  for (const [name, each] of fields) {
    const table = next.table(name)
    if (!table) continue
    const rows = table.rows.items()
    const changed = rows.map((row) => served(row, each))
    if (rows.some((row, at) => row !== changed[at])) {
      next = next.with(name, Table.of(changed, table.rows.ranks()))
    }
  }
  return next
}

export function servedCommit(commit: Commit, fields: ServedFields): Commit {
  if (fields.size === 0 || !commit.effects) return commit
  const effects = commit.effects.map((effect) => {
    const own = fields.get(effect.name)
    if (effect.kind === 'object' || !own) return effect
    const rows = effect.rows.map(({ rank, before, after }) => ({
      rank,
      ...(before !== undefined && { before: served(before, own) }),
      ...(after !== undefined && { after: served(after, own) }),
    }))
    return { ...effect, rows }
  })
  return { ...commit, effects }
}

function served(row: Row, { hidden = [], computed }: Pick<ResourceRules, 'hidden' | 'computed'>): Row {
  if (!isObject(row)) return row
  // What an edited file has under the name of a computed field stays in the file.
  const names = [...hidden, ...Object.keys(computed ?? {})]
  return withComputed(hideOnly(withoutComputed(row), names), computed)
}
