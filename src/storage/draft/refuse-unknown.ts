import { StorageError } from '../../errors.ts'
import { hasField } from '../data/fields.ts'
import type { Table } from '../data/table.ts'
import { decideFor } from '../select/select.ts'
import type { Ignored, ListQuery, Naming } from '../types.ts'
import { leavesOf } from '../where.ts'

/**
 * Refuses a filter that these rows would ignore in part: an unknown field, an unreadable value, a sort or a window. A
 * read may ignore it; a change would affect rows that nobody meant. In an empty collection no field is known, and
 * nothing can change.
 * @param isDeclared whether rules name the field: then it is known, though no row has it yet
 * @returns what is left to select by
 */
export async function refuseUnknown(
  table: Table,
  asked: ListQuery,
  naming: Naming,
  isDeclared: (path: string) => boolean,
): Promise<ListQuery> {
  if (table.size === 0) return asked
  const { query, ignored } = await decideFor(table, asked, naming, isDeclared)
  for (const one of ignored) refuse(reasonOf(one))
  if (query.sort.length > 0 || query.window.kind !== 'all') refuse('Sorting and paging mean nothing here.')
  // Operators of json-server 0.17.4 are never ignored: on an unknown field, `ne` matches nothing.
  for (const { path, required, orElse } of asked.where.flatMap(leavesOf)) {
    const isKnown =
      required ||
      orElse ||
      path === naming.id ||
      path === 'ids' ||
      isDeclared(path) ||
      (await hasField(table, path))
    if (!isKnown) refuse(`No item has the field ${path}; correct the name, or leave it out.`)
  }
  return query
}

function reasonOf({ name, reason, detail }: Ignored): string {
  if (reason === 'unknown field' || reason === 'matches nothing')
    return `No item has the field ${name}; correct the name, or leave it out.`
  return reason === 'unreadable value'
    ? `The value ${JSON.stringify(detail)} of ${name} cannot be read; correct it.`
    : `Send ${detail} or ${name}, not both.`
}

function refuse(message: string): never {
  throw new StorageError('INVALID_QUERY', `${message} Nothing was changed.`)
}
