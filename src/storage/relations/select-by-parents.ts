import type { Work } from '../../work/in-slices.ts'
import type { Decided } from '../query/decide/decide.ts'
import { frame } from '../query/page.ts'
import { withIgnored } from '../query/with-ignored.ts'
import type { ListQuery, Row, Selection, SortKey, Trace } from '../types.ts'
import { filterByParents } from './filter-by-parents.ts'
import { findParent, type Parent, parentsOf, type Selecting } from './parent-fields.ts'
import { takeByParents } from './sort-by-parents.ts'

/** Answers a query that filters or sorts by fields of the parents it attaches: `_expand=company&_sort=company.name`. */
export function* selectByParents(
  source: Selecting,
  collection: string,
  asked: ListQuery,
  rows?: readonly Row[],
  isWanted?: () => boolean,
  trace?: Trace,
): Work<Selection> {
  const parents = yield* parentsOf(source, collection, asked)
  const { query, ignored } = yield* decideWith(source, collection, asked, parents, rows)
  const sorting = yield* sortingParents(source, collection, query.sort, parents)
  if (sorting.length === 0) {
    return withIgnored(yield* source.selecting(collection, query, rows, isWanted, trace), ignored)
  }
  const all: ListQuery = { ...query, sort: [], window: { kind: 'all' } }
  const { items } = yield* source.selecting(collection, all, rows, isWanted, trace)
  const { start, end, head } = frame(items.length, query.window)
  // It may be the table's own list.
  const sorted = yield* takeByParents(source, items.slice(), query.sort, sorting, { start, end })
  return withIgnored({ items: sorted, ...head }, ignored)
}

/** What such a query means: conditions on parents have become conditions on foreign keys. */
export function* decideByParents(
  source: Selecting,
  collection: string,
  asked: ListQuery,
  rows?: readonly Row[],
): Work<Decided> {
  return yield* decideWith(source, collection, asked, yield* parentsOf(source, collection, asked), rows)
}

function* decideWith(
  source: Selecting,
  collection: string,
  asked: ListQuery,
  parents: readonly Parent[],
  rows: readonly Row[] | undefined,
): Work<Decided> {
  const filtered = yield* filterByParents(source, collection, asked, parents)
  // Without relations it is a query like any other.
  return yield* source.deciding(collection, { ...filtered, embed: [], expand: [] }, rows)
}

/** The parents that are sorted by: unless rows have such a path themselves. */
function* sortingParents(
  source: Selecting,
  collection: string,
  sort: readonly SortKey[],
  parents: readonly Parent[],
): Work<readonly Parent[]> {
  const used = new Set<Parent>()
  for (const { path } of sort) {
    const found = findParent(parents, path)
    if (found && !(yield* source.hasField(collection, path))) used.add(found.parent)
  }
  return [...used]
}
