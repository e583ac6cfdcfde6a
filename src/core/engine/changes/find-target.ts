import { StorageError } from '../../kernel/catalogue/error-classes.ts'
import { isObject, isSameJson } from '../../kernel/json/values.ts'
import type { Filter } from '../change.ts'
import { Table } from '../data/table.ts'
import { idOf } from '../id-of.ts'
import { decide, matchesNothing, type QueriedTable } from '../query/decide.ts'
import { findBlind } from '../query/find-blind.ts'
import { findTraps } from '../query/find-traps.ts'
import { EVERY_ROW, select } from '../query/select.ts'
import { isChildOf } from '../relations/relations.ts'
import { checkRows, requireRight } from '../rules/check-access.ts'
import { limitTo, rowTest } from '../rules/reachable-rows.ts'
import type { Action } from '../rules/rights.ts'
import type { Ignored, ListQuery, Row, Where } from '../types.ts'
import { everyLeaf, everyWhere, leavesOf, parameterOf } from '../where.ts'
import type { WriteContext } from './write-context.ts'

/** Undefined if there is no such row for the client. Throws if it may not change it, or the precondition fails. */
export async function findRow(
  context: WriteContext,
  collection: string,
  id: string,
  action: Action,
): Promise<Row | undefined> {
  const { draft, access } = context
  const { within } = context.options
  if (access) requireRight(access, collection, action)
  const row = await draft.find(collection, id)
  if (!row || (within && !isChildOf(row, within.key, within.id))) return undefined
  return checkTarget(context, collection, row, action)
}

export async function findObject(context: WriteContext, name: string): Promise<Row | undefined> {
  if (context.access) requireRight(context.access, name, 'update')
  const object = context.draft.object(name)
  return object && checkTarget(context, name, object, 'update')
}

async function checkTarget(
  { draft, access, options }: WriteContext,
  name: string,
  row: Row,
  action: Action,
): Promise<Row | undefined> {
  if (access && !(await rowTest(draft, access, name, 'read'))(row)) return undefined
  if (access) await checkRows(draft, access, name, action, [row])
  if (options.unchangedSince === undefined || isSameJson(row, options.unchangedSince)) return row
  const message = 'It was changed since it was read, and nothing was changed now: read it again.'
  throw new StorageError('PRECONDITION_FAILED', message)
}

/** Entries that are not objects are left out: they have no fields to merge. */
export async function findRows(
  { draft, ruling, options: { within }, access }: WriteContext,
  collection: string,
  where: Filter,
  action: Action,
): Promise<readonly Row[] | undefined> {
  if (draft.kindOf(collection) !== 'collection') return undefined
  if (access) requireRight(access, collection, action)
  const filter = { ...where, ...EVERY_ROW, where: where.where }
  const id = idOf(collection, draft.naming)
  const source = access ? limitTo(draft, access) : draft
  const table = (await source.table(collection)) ?? Table.of([])
  const isDeclared = (path: string) => ruling?.of(collection)?.fieldNames.has(path) === true
  const { items } = await select(table, await checkFilter(filter, { table, id, isDeclared }), id)
  const traps = await findTraps(table, id, filter, { items, total: items.length })
  for (const trap of traps) refuseFilter(reasonOf(trap))
  if (draft.pace.isUsedUp) await draft.pace.yieldToEventLoop()
  const rows = items.filter((row) => isObject(row) && (!within || isChildOf(row, within.key, within.id)))
  if (access) await checkRows(draft, access, collection, action, rows)
  return rows
}

/** Refuses a filter that is ignored in part, or has a part that excludes nothing. Returns the query to select by. */
async function checkFilter(filter: ListQuery, scope: QueriedTable): Promise<ListQuery> {
  if (scope.table.size === 0) {
    await refuseUnfiltering(everyWhere(filter), filter, scope.id)
    return filter
  }
  const { query, ignored } = await decide(filter, scope)
  for (const one of ignored) refuseFilter(reasonOf(one))
  if (query.sort.length > 0 || query.window.kind !== 'all')
    refuseFilter('Sorting and paging mean nothing here.')
  for (const leaf of filter.where.flatMap(leavesOf)) {
    if (!(await matchesNothing(leaf, scope))) continue
    const { path } = leaf.orElse ?? leaf
    refuseFilter(`No item has the field ${path}; correct the name, or leave it out.`)
  }
  await refuseUnfiltering(query.where, filter, scope.id)
  return query
}

async function refuseUnfiltering(where: readonly Where[], filter: ListQuery, id: string): Promise<void> {
  const blind = await findBlind(where, id)
  if (blind) refuseFilter(`${nameOf(blind, filter)} excludes no item; correct it, or leave it out.`)
}

function nameOf(blind: Where, filter: ListQuery): string {
  const [word = 'filter'] = (filter.words ?? []).flatMap(({ name, means }) => (means.where ? [name] : []))
  const [leaf] = leavesOf(blind)
  const from = everyLeaf(filter).find(({ orElse, ...own }) => {
    const { path, op } = orElse ?? own
    return path === leaf?.path && op === leaf.op
  })
  if (!from) return `An empty part of ${word}`
  if ('path' in blind) return from.place ?? parameterOf(from)
  return `The part of ${from.place === undefined ? 'the filter' : word} with ${from.place ?? parameterOf(from)}`
}

function reasonOf({ name, reason, detail }: Ignored): string {
  if (reason === 'compares whole lists')
    return `${name} compares whole lists, not their entries; send ${detail} instead.`
  if (reason === 'null is a string' || reason === 'undefined is a string') {
    return `${name} looks for the string "${reason.split(' ', 1)}"; send ${detail} instead.`
  }
  if (reason === 'unknown field' || reason === 'matches nothing')
    return `No item has the field ${name}; correct the name, or leave it out.`
  return reason === 'unreadable value'
    ? `The value ${JSON.stringify(detail)} of ${name} cannot be read; correct it.`
    : `Send ${detail} or ${name}, not both.`
}

function refuseFilter(message: string): never {
  throw new StorageError('INVALID_QUERY', `${message} Nothing was changed.`)
}
