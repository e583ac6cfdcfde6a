import { StorageError } from '../../catalogue/error-classes.ts'
import { hasField } from '../data/fields.ts'
import type { Table } from '../data/table.ts'
import { decide, isCertain } from '../query/decide.ts'
import { findBlind } from '../query/find-blind.ts'
import { findTraps } from '../query/find-traps.ts'
import { select } from '../query/select.ts'
import type { Ignored, ListQuery, Naming, Row, Where } from '../types.ts'
import { everyLeaf, everyWhere, leavesOf, parameterOf } from '../where.ts'

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
  const { query, ignored } = await decide(asked, { table, naming, isDeclared })
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
