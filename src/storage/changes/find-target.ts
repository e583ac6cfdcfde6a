import { StorageError } from '../../catalogue/error-classes.ts'
import { isSameJson } from '../../json/values.ts'
import { limitTo } from '../access/limit-to.ts'
import type { Action } from '../access/rights.ts'
import type { Filter } from '../change.ts'
import { Table } from '../data/table.ts'
import { isRow } from '../is-row.ts'
import { isChildOf } from '../relations/relations.ts'
import type { Row } from '../types.ts'
import { selectToChange } from './select-to-change.ts'
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
  const found = items.filter((row) => isRow(row) && (!within || isChildOf(row, within.key, within.id)))
  if (guard) await guard.checkAll(collection, action, found)
  return found
}
