import { StorageError } from '../../catalogue/error-classes.ts'
import { isSameJson } from '../../json/is-same-json.ts'
import { isObject } from '../../json/record.ts'
import { limitTo } from '../access/limit-to.ts'
import type { Action } from '../access/rights.ts'
import type { Filter } from '../change.ts'
import { hasField } from '../data/fields.ts'
import { Table } from '../data/table.ts'
import { isCertain } from '../query/decide.ts'
import { findBlind } from '../query/find-blind.ts'
import { findTraps } from '../query/find-traps.ts'
import { decideFor, select } from '../query/select.ts'
import { isChildOf } from '../relations/relations.ts'
import type { Ignored, ListQuery, Naming, Row, Where } from '../types.ts'
import { everyLeaf, everyWhere, leavesOf, parameterOf } from '../where.ts'
import type { Writing } from './write-rows.ts'

/** The row to change, if it exists and the client may change it, and it still meets the precondition. */
export async function findRow(
  writing: Writing,
  collection: string,
  id: string,
  action: Action,
): Promise<Row | undefined> {
  const { draft, options, guard } = writing
  const { within } = options
  guard?.admit(collection, action)
  const row = await draft.find(collection, id)
  if (!row || (within && !isChildOf(row, within.key, within.id))) return undefined
  return checkTarget(writing, collection, row, action)
}

export function findObject(writing: Writing, name: string): Row | undefined {
  writing.guard?.admit(name, 'update')
  const object = writing.draft.object(name)
  return object && checkTarget(writing, name, object, 'update')
}

function checkTarget(writing: Writing, name: string, row: Row, action: Action): Row | undefined {
  const { options, guard } = writing
  if (guard && !guard.sees(name, row)) return undefined
  guard?.check(name, action, row)
  if (options.unchangedSince === undefined || isSameJson(row, options.unchangedSince)) return row
  const message = 'It was changed since it was read, and nothing was changed now: read it again.'
  throw new StorageError('PRECONDITION_FAILED', message)
}

/** Entries of a collection that are not objects have no fields to merge, and no request can name them. */
export async function findRows(
  { draft, ruling, options: { within }, guard }: Writing,
  collection: string,
  where: Filter,
  action: Action,
): Promise<readonly Row[] | undefined> {
  if (draft.kindOf(collection) !== 'collection') return undefined
  guard?.admit(collection, action)
  const asked = { ...where, sort: [], window: { kind: 'all' as const }, embed: [], expand: [] }
  const isDeclared = (path: string) => ruling?.of(collection)?.names.has(path) === true
  const source = guard ? limitTo(draft, guard.access) : draft
  const table = (await source.table(collection)) ?? Table.of([])
  const items = await selectToChange({ table, naming: draft.naming, isDeclared }, asked)
  const found = items.filter((row) => isObject(row) && (!within || isChildOf(row, within.key, within.id)))
  if (guard) await guard.checkAll(collection, action, found)
  return found
}

export interface Searching {
  readonly table: Table
  readonly naming: Naming
  /** Whether rules name the field: then it is known, though no row has it yet. */
  readonly isDeclared: (path: string) => boolean
}

/** The rows that a change is about. Refuses a filter that does what it says, which is hardly what is meant. */
export async function selectToChange(searching: Searching, asked: ListQuery): Promise<readonly Row[]> {
  const { table, naming } = searching
  const search = (query: ListQuery) => select(table, query, naming)
  const { items } = await search(await refuseUnknown(searching, asked))
  const searched = { naming, has: async (path: string) => hasField(table, path), select: search }
  for (const one of await findTraps(searched, asked, { items, total: items.length })) refuse(reasonOf(one))
  return items
}

/**
 * Refuses a filter that these rows would ignore in part, or with a part that excludes nothing: a change would affect rows
 * that nobody meant. In an empty collection no field is known, and nothing can change. Returns what is left to select by.
 */
async function refuseUnknown(searching: Searching, asked: ListQuery): Promise<ListQuery> {
  const { table, naming, isDeclared } = searching
  if (table.size === 0) {
    await refuseBlind(everyWhere(asked), asked, naming)
    return asked
  }
  const { query, ignored } = await decideFor(table, asked, naming, isDeclared)
  for (const one of ignored) refuse(reasonOf(one))
  if (query.sort.length > 0 || query.window.kind !== 'all') refuse('Sorting and paging mean nothing here.')
  // Operators of json-server 0.17.4 are never ignored: on an unknown field, `ne` matches nothing.
  for (const { orElse, ...own } of asked.where.flatMap(leavesOf)) {
    const { path, required } = orElse ?? own
    const isKnown =
      required ||
      (orElse && (!isCertain(orElse) || (await hasField(table, own.path)))) ||
      path === naming.id ||
      path === 'ids' ||
      isDeclared(path) ||
      (await hasField(table, path))
    if (!isKnown) refuse(`No item has the field ${path}; correct the name, or leave it out.`)
  }
  await refuseBlind(query.where, asked, naming)
  return query
}

async function refuseBlind(where: readonly Where[], asked: ListQuery, { id }: Naming): Promise<void> {
  const blind = await findBlind(where, id)
  if (blind) refuse(`${nameOf(blind, asked)} excludes no item; correct it, or leave it out.`)
}

/** The parameter that a part of a filter comes from, or its position in `_where`. */
function nameOf(blind: Where, asked: ListQuery): string {
  const [word = 'filter'] = (asked.words ?? []).flatMap(({ name, means }) => (means.where ? [name] : []))
  const [leaf] = leavesOf(blind)
  const from = everyLeaf(asked).find(({ orElse, ...own }) => {
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
  if (reason === 'null is a string') return `${name} looks for the string "null"; send ${detail} instead.`
  if (reason === 'unknown field' || reason === 'matches nothing')
    return `No item has the field ${name}; correct the name, or leave it out.`
  return reason === 'unreadable value'
    ? `The value ${JSON.stringify(detail)} of ${name} cannot be read; correct it.`
    : `Send ${detail} or ${name}, not both.`
}

function refuse(message: string): never {
  throw new StorageError('INVALID_QUERY', `${message} Nothing was changed.`)
}
