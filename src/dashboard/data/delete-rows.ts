import { recordChange } from '../client/live.ts'
import { writeCsv } from '../client/operators.ts'
import { EMPTY_QUERY, formatQuery, pathOf, type Query, withQuery } from '../client/query.ts'
import { type ApiResponse, isOk, send } from '../client/send.ts'
import { idField } from '../client/service.ts'
import { session } from '../client/session.ts'
import { countRows } from '../parts/format.ts'
import { notify, notifyFailure } from '../parts/notices.tsx'
import { isDeletion, newestChange, UNDO } from '../tools/entries.ts'

/** The address of these rows. */
export function pathOfRows(resource: string, ids: readonly string[], more: Partial<Query> = {}): string {
  const filters = [{ field: idField(), operator: '_in', value: writeCsv(ids) }] as const
  return withQuery(pathOf(resource), formatQuery({ ...EMPTY_QUERY, ...more, filters }))
}

/** Deletes rows in one change, and offers to undo it for a while. */
export async function deleteRows(resource: string, ids: readonly string[]): Promise<ApiResponse> {
  const from = session.peek()
  // The rows as the server wrote them: sent back verbatim, so that long numbers survive.
  const headers = { Prefer: 'return=representation' }
  const response = await send('DELETE', pathOfRows(resource, ids), { headers })
  if (!isOk(response)) return response
  recordChange(resource)
  const newest = await newestChange()
  // The page shows other data by now: an Undo would write to that.
  if (session.peek() !== from) return response
  const isOurs = newest && ids.every((id) => isDeletion(newest, resource, id))
  const version = isOurs ? newest.version : undefined
  notify(`${countRows(resource, ids.length)} deleted`, {
    action: { label: 'Undo', run: () => void restore(resource, response.text, ids.length, version) },
  })
  return response
}

/** Undoes the change; after other changes, inserts the rows again. */
async function restore(
  resource: string,
  text: string,
  count: number,
  version: number | undefined,
): Promise<void> {
  const isNewest = version !== undefined && (await newestChange())?.version === version
  const response = isNewest ? await send('POST', UNDO) : await send('POST', pathOf(resource), { body: text })
  if (!isOk(response)) return notifyFailure(response)
  recordChange(resource)
  notify(`${countRows(resource, count)} restored`)
}
