import type { Table } from '../data/table.ts'
import type { ListQuery, Selection, Trace } from '../types.ts'
import { flatten } from '../where.ts'
import { arrange, type Matches } from './arrange.ts'
import { decide } from './decide.ts'
import { narrow } from './narrow.ts'
import { compileFilter, scan } from './scan.ts'

export const EVERY_ROW: ListQuery = { where: [], sort: [], window: { kind: 'all' }, embed: [], expand: [] }

/** Filters, searches, sorts, counts and pages, with indexes where that is faster. */
export async function select(
  table: Table,
  list: ListQuery,
  id: string,
  trace: Trace = { uses: [], examined: 0 },
): Promise<Selection> {
  const { query, ignored } = await decide(list, { table, id })
  const { search } = query
  const where = flatten(query.where)
  const passes = () => compileFilter(where, search)
  const candidates = await narrow(table, where, id)
  const isSettled = (candidates?.settled.length ?? 0) === where.length
  trace.uses = candidates?.uses ?? []
  trace.examined = 0
  let [total, some]: [number, Matches['some']] = [candidates?.size ?? table.size, candidates]
  if (!isSettled || search !== undefined) {
    const ranks = await scan(table, where, search, candidates, trace)
    total = ranks.length
    some = { ranks: () => ranks }
  }
  // Ranges may overlap.
  else if (candidates && !candidates.run) total = candidates.ranks().length
  const selection = await arrange(table, { total, some, passes }, query, id, trace)
  return ignored.length === 0 ? selection : { ...selection, ignored }
}
