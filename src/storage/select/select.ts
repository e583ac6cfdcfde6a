import { Pace } from '../../work/pace.ts'
import { FIELD_NAMES, hasField } from '../data/fields.ts'
import { Table } from '../data/table.ts'
import { compileWhere } from '../query/compile-where.ts'
import { type Decided, decide, type Fields } from '../query/decide/decide.ts'
import { pathsOf } from '../query/decide/paths-of.ts'
import { withIgnored } from '../query/with-ignored.ts'
import type { ListQuery, Naming, Selection, Trace } from '../types.ts'
import { arrange, type Matches } from './arrange.ts'
import { narrow } from './narrow.ts'
import { keepMatching, needsThread, withLongTexts } from './patterns.ts'
import { scanAll, scanRanks, testOf } from './scan.ts'

export interface SelectOptions {
  /** Whether the client is still waiting; asked before work that others queue for. */
  readonly isWanted?: (() => boolean) | undefined
  /** Filled in with how the query was answered. */
  readonly trace?: Trace
}

/** Filters, searches, sorts, counts and pages the rows of a table, through indexes where that is faster. */
export async function select(
  table: Table,
  asked: ListQuery,
  naming: Naming,
  options: SelectOptions = {},
): Promise<Selection> {
  const { query, ignored } = await decideFor(table, asked, naming)
  const selection = await withLongTexts((hasLongTexts) =>
    selectDecided(table, query, naming, options, hasLongTexts),
  )
  return withIgnored(selection, ignored)
}

/** Up to this many paths are looked up one by one: a query may name thousands that do not exist. */
const FEW = 20

/**
 * Decides what a query means for the rows of a table.
 * @param isDeclared whether a path is known, though no row may have it
 */
export async function decideFor(
  table: Table,
  asked: ListQuery,
  naming: Naming,
  isDeclared: (path: string) => boolean = () => false,
): Promise<Decided> {
  const paths = pathsOf(asked, naming)
  const names = paths.size > FEW ? await table.derive(FIELD_NAMES) : undefined
  const known = new Set<string>()
  for (const path of paths) {
    const isKnown = names && !/[.[]/.test(path) ? names.has(path) : await hasField(table, path)
    if (isKnown || isDeclared(path)) known.add(path)
  }
  const fields: Fields = { hasRows: table.size > 0, has: (path) => known.has(path) || isDeclared(path) }
  return decide(asked, fields, naming)
}

/** @param hasLongTexts whether some texts are too long for their patterns: only a thread can match them */
async function selectDecided(
  table: Table,
  query: ListQuery,
  naming: Naming,
  { isWanted, trace = { uses: [], examined: 0 } }: SelectOptions,
  hasLongTexts: boolean,
): Promise<Selection> {
  const slow = query.where.filter((where) => needsThread(where, hasLongTexts))
  if (slow.length === 0) return arrange(table, await findMatches(table, query, naming, trace), query, trace)
  const others = { ...query, where: query.where.filter((where) => !slow.includes(where)) }
  const { some } = await findMatches(table, others, naming, trace)
  const rows = some ? table.pick(some.ranks()) : table.rows.items()
  trace.examined += rows.length
  const found = Table.of(await keepMatching(rows, slow, hasLongTexts, isWanted))
  return arrange(found, { total: found.size }, query, { uses: [], examined: 0 })
}

async function findMatches(
  table: Table,
  { where, search }: ListQuery,
  naming: Naming,
  trace: Trace,
): Promise<Matches> {
  const conditions = compileWhere(where)
  const passes = testOf({ conditions, search })
  trace.examined = 0
  trace.uses = []
  if (!passes) return { total: table.size }
  const candidates = await narrow(table, conditions, naming)
  trace.uses = candidates?.uses ?? []
  const rest = conditions.filter((one) => !candidates?.settled.includes(one))
  if (candidates && rest.length === 0 && search === undefined) {
    const { run } = candidates
    // What several ranges share is counted once.
    const total = run ? candidates.size : candidates.ranks().length
    return { total, some: { passes, run, ranks: () => candidates.ranks() } }
  }
  const pace = new Pace()
  const test = testOf({ conditions: rest, search })
  const isFew = candidates && candidates.size <= table.size / (search === undefined ? 4 : 16)
  const ranks =
    isFew && test
      ? await scanRanks(table, candidates.ranks(), test, trace, pace)
      : await scanAll(table, { conditions, search }, trace, pace)
  return { total: ranks.length, some: { passes, ranks: () => ranks } }
}
