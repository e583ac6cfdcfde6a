import { hasFieldIn, type Source } from '../data/source.ts'
import { Table } from '../data/table.ts'
import type { Decided } from '../query/decide.ts'
import { frame } from '../query/page.ts'
import { decideFor, type SelectOptions, select } from '../select/select.ts'
import type { ListQuery, Selection, SortKey } from '../types.ts'
import { filterByParents, type ParentSource } from './filter-by-parents.ts'
import { findParent, mayUseParents, type Parent, parentsOf } from './parent-fields.ts'
import { takeByParents } from './sort-by-parents.ts'

/** The rows of a collection that match a query, which may be about fields of the parents that it attaches. */
export async function selectIn(
  source: Source,
  collection: string,
  asked: ListQuery,
  options?: SelectOptions,
): Promise<Selection> {
  const table = (await source.table(collection)) ?? Table.of([])
  if (!mayUseParents(asked)) return select(table, asked, source.naming, options)
  const parents = await parentsOf(source, collection, asked)
  const { query, ignored } = await decideByParents(source, collection, asked, parents)
  const sorting = await sortingParents(source, collection, query.sort, parents)
  const told = ignored.length > 0 && { ignored }
  if (sorting.length === 0) return { ...(await select(table, query, source.naming, options)), ...told }
  const all: ListQuery = { ...query, sort: [], window: { kind: 'all' } }
  const { items } = await select(table, all, source.naming, options)
  const { start, end, head } = frame(items.length, query.window)
  const sorted = await takeByParents(source, items, query.sort, sorting, { start, end })
  return { items: sorted, ...head, ...told }
}

/** What a query means for the rows of a collection: conditions on parents have become conditions on foreign keys. */
export async function decideIn(source: Source, collection: string, asked: ListQuery): Promise<Decided> {
  if (mayUseParents(asked)) {
    return decideByParents(source, collection, asked, await parentsOf(source, collection, asked))
  }
  return decideFor((await source.table(collection)) ?? Table.of([]), asked, source.naming)
}

async function decideByParents(
  source: Source,
  collection: string,
  asked: ListQuery,
  parents: readonly Parent[],
): Promise<Decided> {
  const filtered = await filterByParents(searchable(source), collection, asked, parents)
  // Without relations it is a query like any other.
  return decideIn(source, collection, { ...filtered, embed: [], expand: [] })
}

function searchable(source: Source): ParentSource {
  return {
    naming: source.naming,
    names: () => source.names(),
    kindOf: (name) => source.kindOf(name),
    table: (name) => source.table(name),
    object: (name) => source.object(name),
    decide: (collection, query) => decideIn(source, collection, query),
    select: (collection, query) => selectIn(source, collection, query),
  }
}

/** The parents that are sorted by: unless rows have such a path themselves. */
async function sortingParents(
  source: Source,
  collection: string,
  sort: readonly SortKey[],
  parents: readonly Parent[],
): Promise<readonly Parent[]> {
  const used = new Set<Parent>()
  for (const { path } of sort) {
    const found = findParent(parents, path)
    if (found && !(await hasFieldIn(source, collection, path))) used.add(found.parent)
  }
  return [...used]
}
