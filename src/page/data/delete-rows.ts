import { isChange, newestChange, undoChange } from '../client/history.ts'
import { recordChange } from '../client/live.ts'
import { writeCsv } from '../client/operators.ts'
import { EMPTY_QUERY, formatQuery, pathOf, type Query, withQuery } from '../client/query.ts'
import { type ApiResponse, headerOf, isOk, send } from '../client/send.ts'
import { idField, service } from '../client/service.ts'
import { session } from '../client/session.ts'
import { capitalize, countRows, rowName } from '../parts/format.ts'
import { notify, notifyFailure } from '../parts/notices.tsx'
import { confirmDelete } from './confirm-delete.tsx'

/**
 * Deletes a row and offers to undo it for a while. Opens a dialog if dependents would be deleted too; undefined on
 * cancel.
 * @param text the row as the server wrote it: sent back verbatim, so that long numbers survive
 */
export async function deleteRow(
  resource: string,
  id: string,
  text: string,
): Promise<ApiResponse | undefined> {
  if (service.value?.cascade && !(await confirmDelete(resource, id))) return undefined
  return deleteAt(pathOf(resource, id), resource, [id], capitalize(rowName(resource, id)), text)
}

/** Deletes rows in one change, and offers to undo it for a while. */
export function deleteRows(resource: string, ids: readonly string[]): Promise<ApiResponse> {
  return deleteAt(pathOfRows(resource, ids), resource, ids, countRows(resource, ids.length))
}

/** The address of these rows. */
export function pathOfRows(resource: string, ids: readonly string[], more: Partial<Query> = {}): string {
  const filters = [{ field: idField(resource), operator: '_in', value: writeCsv(ids) }] as const
  return withQuery(pathOf(resource), formatQuery({ ...EMPTY_QUERY, ...more, filters }))
}

/**
 * @param name what notices call the rows
 * @param text the rows as the server wrote them; if undefined, it is asked to respond with them
 */
async function deleteAt(
  path: string,
  resource: string,
  ids: readonly string[],
  name: string,
  text?: string,
): Promise<ApiResponse> {
  const from = session.peek()
  const headers = text === undefined ? { Prefer: 'return=representation' } : {}
  const response = await send('DELETE', path, { headers })
  if (!isOk(response)) return response
  recordChange(resource)
  const newest = await newestChange()
  // The page shows other data by now: an Undo would write to that.
  if (session.peek() !== from) return response
  // Another change may have come in between.
  const version =
    newest && ids.every((id) => isChange(newest, { resource, id, op: 'delete' })) ? newest.version : undefined
  const deletion = { resource, name, text: text ?? response.text, index: headerOf(response, INDEX), version }
  notify(`${name} deleted`, { action: { label: 'Undo', run: () => void restore(deletion) } })
  return response
}

/** The index of a deleted row, and the index at which to insert one. */
const INDEX = 'X-Restable-Place'

interface Deletion {
  readonly resource: string
  readonly name: string
  readonly text: string
  readonly index: string | undefined
  readonly version: number | undefined
}

/** Undoes the deletion, dependents included; after other changes, inserts the rows again, a single one where it was. */
async function restore({ resource, name, text, index, version }: Deletion): Promise<void> {
  const undone = version === undefined ? undefined : await undoChange(version)
  const headers = index === undefined ? {} : { [INDEX]: index }
  const response = undone ?? (await send('POST', pathOf(resource), { body: text, headers }))
  if (!isOk(response)) return notifyFailure(response)
  recordChange(resource)
  notify(`${name} restored`)
}
