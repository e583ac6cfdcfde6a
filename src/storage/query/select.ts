import { Pace } from '../../util/pace.ts'
import { Table } from '../data/table.ts'
import type { ListQuery, Naming, Selection, Trace } from '../types.ts'
import { flatten } from '../where.ts'
import { arrange } from './arrange.ts'
import { decide } from './decide.ts'
import { LongText } from './like.ts'
import { narrow } from './narrow.ts'
import { filterByPatterns, needsThread } from './patterns.ts'
import { compileFilter, scan } from './scan.ts'

export interface SelectOptions {
  /** Whether the client is still connected; checked before queued work. */
  readonly isWanted?: (() => boolean) | undefined
  readonly trace?: Trace
}

export const EVERY_ROW: ListQuery = { where: [], sort: [], window: { kind: 'all' }, embed: [], expand: [] }

/** Filters, searches, sorts, counts and pages, with indexes where that is faster. */
export async function select(
  table: Table,
  list: ListQuery,
  naming: Naming,
  options: SelectOptions = {},
): Promise<Selection> {
  const { query, ignored } = await decide(list, { table, naming })
  let selection: Selection
  try {
    selection = await selectDecided(table, query, naming, options, false)
  } catch (error) {
    if (!(error instanceof LongText)) throw error
    // Converting a list of millions takes long, and is repeated now.
    await new Pace().turn()
    selection = await selectDecided(table, query, naming, options, true)
  }
  return ignored.length === 0 ? selection : { ...selection, ignored }
}

/** @param hasLongTexts whether some texts need a thread for their patterns */
async function selectDecided(
  table: Table,
  query: ListQuery,
  naming: Naming,
  { isWanted, trace = { uses: [], examined: 0 } }: SelectOptions,
  hasLongTexts: boolean,
): Promise<Selection> {
  const { search } = query
  const where = flatten(query.where)
  const passes = () => compileFilter(where, search)
  const candidates = await narrow(table, where, naming.id)
  const rest = candidates ? where.filter((one) => !candidates.settled.includes(one)) : where
  trace.uses = candidates?.uses ?? []
  trace.examined = 0
  if (rest.length === 0 && search === undefined) {
    // Ranges may overlap.
    const total = candidates && !candidates.run ? candidates.ranks().length : (candidates?.size ?? table.size)
    return arrange(table, { total, some: candidates, passes }, query, trace)
  }
  const slow = rest.filter((one) => needsThread(one, hasLongTexts))
  const quick = slow.length === 0 ? where : where.filter((one) => !slow.includes(one))
  const ranks = await scan(table, quick, search, candidates, trace)
  if (slow.length === 0) {
    return arrange(table, { total: ranks.length, some: { ranks: () => ranks }, passes }, query, trace)
  }
  trace.examined += ranks.length
  const rows = Table.of(await filterByPatterns(table.pick(ranks), slow, hasLongTexts, isWanted))
  return arrange(rows, { total: rows.size, passes }, query, { uses: [], examined: 0 })
}
