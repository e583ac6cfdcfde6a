import type { Table } from '../data/table.ts'
import type { ListQuery, Naming, Selection, Trace } from '../types.ts'
import { flatten } from '../where.ts'
import { arrange } from './arrange.ts'
import { decide } from './decide.ts'
import { narrow } from './narrow.ts'
import { compileFilter, scan } from './scan.ts'

export const EVERY_ROW: ListQuery = { where: [], sort: [], window: { kind: 'all' }, embed: [], expand: [] }

/** Filters, searches, sorts, counts and pages, with indexes where that is faster. */
export async function select(
  table: Table,
  list: ListQuery,
  naming: Naming,
  trace: Trace = { uses: [], examined: 0 },
): Promise<Selection> {
  const { query, ignored } = await decide(list, { table, naming })
  const selection = await selectDecided(table, query, naming, trace)
  return ignored.length === 0 ? selection : { ...selection, ignored }
}

async function selectDecided(
  table: Table,
  query: ListQuery,
  naming: Naming,
  trace: Trace,
): Promise<Selection> {
  const { search } = query
  const where = flatten(query.where)
  const passes = () => compileFilter(where, search)
  const candidates = await narrow(table, where, naming.id)
  const isSettled = where.every((one) => candidates?.settled.includes(one))
  trace.uses = candidates?.uses ?? []
  trace.examined = 0
  if (isSettled && search === undefined) {
    // Ranges may overlap.
    const total = candidates && !candidates.run ? candidates.ranks().length : (candidates?.size ?? table.size)
    return arrange(table, { total, some: candidates, passes }, query, trace)
  }
  const ranks = await scan(table, where, search, candidates, trace)
  return arrange(table, { total: ranks.length, some: { ranks: () => ranks }, passes }, query, trace)
}
