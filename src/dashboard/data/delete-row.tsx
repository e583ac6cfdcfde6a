import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { recordChange } from '../client/live.ts'
import { pathOf } from '../client/query.ts'
import { type ApiResponse, headerOf, isOk, send } from '../client/send.ts'
import { service } from '../client/service.ts'
import { session } from '../client/session.ts'
import { formatCount, shorten } from '../parts/format.ts'
import { notify, notifyFailure } from '../parts/notices.tsx'
import { isDeletion, newestChange, UNDO } from '../tools/entries.ts'
import { type DeletedRow, recordDeletion, recordRestore } from './deleted-rows.ts'
import { countDependents, type Dependents } from './dependents.ts'

/** Says at which index a deleted row was, and at which index to insert one. */
const PLACE = 'X-Restable-Place'

/**
 * Deletes a row and offers to undo it for a while. Asks first if dependents would be deleted too; undefined when the
 * user cancels.
 * @param text the row as the server wrote it: sent back verbatim, so that long numbers survive
 */
export async function deleteRow(
  resource: string,
  id: string,
  text: string,
): Promise<ApiResponse | undefined> {
  if (service.value?.cascade && !(await isSure(resource, id))) return undefined
  const from = session.peek()
  const response = await send('DELETE', pathOf(resource, id))
  if (!isOk(response)) return response
  recordChange(resource)
  const newest = await newestChange()
  // The page shows other data by now: an Undo would write to that.
  if (session.peek() !== from) return response
  // Somebody else's change may have come in between.
  const version = newest && isDeletion(newest, resource, id) ? newest.version : undefined
  const place = headerOf(response, PLACE)
  const row = place === undefined ? undefined : recordDeletion(resource, Number(place))
  notify(`Deleted ${resource} ${id}`, {
    action: { label: 'Undo', run: () => void restore({ resource, id, text, row, version }) },
  })
  return response
}

async function isSure(resource: string, id: string): Promise<boolean> {
  const dependents = await countDependents(resource, id)
  const isAlone = dependents.counts.size === 0 && !dependents.isPartial
  return isAlone || confirmDelete(resource, id, dependents)
}

interface Deletion {
  readonly resource: string
  readonly id: string
  readonly text: string
  readonly row: DeletedRow | undefined
  readonly version: number | undefined
}

async function restore(deleted: Deletion): Promise<void> {
  const { resource, id, row } = deleted
  const response = await bringBack(deleted)
  if (isOk(response)) {
    if (row) recordRestore(row)
    recordChange(resource)
    notify(`Brought back ${resource} ${id}`)
  } else notifyFailure(response)
}

/** Undoes the deletion, dependents included; after other changes, inserts the row again where it was. */
async function bringBack({ resource, text, row, version }: Deletion): Promise<ApiResponse> {
  if (version !== undefined && (await newestChange())?.version === version) return send('POST', UNDO)
  const headers = row ? { [PLACE]: String(row.index) } : {}
  return send('POST', pathOf(resource), { body: text, headers })
}

interface DeleteRequest extends Dependents {
  readonly resource: string
  readonly id: string
  resolve(isSure: boolean): void
}

const deleteRequest = signal<DeleteRequest | undefined>(undefined)

/** Asks whether to delete a row along with everything that depends on it. */
export function confirmDelete(resource: string, id: string, dependents: Dependents): Promise<boolean> {
  return new Promise((resolve) => {
    deleteRequest.value = {
      ...dependents,
      resource,
      id,
      resolve(isSure) {
        deleteRequest.value = undefined
        resolve(isSure)
      },
    }
  })
}

/** Lists what will be deleted for good. */
export function DeleteDialog() {
  const asked = deleteRequest.value
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (asked && !dialog.current?.open) dialog.current?.showModal()
  }, [asked])
  if (!asked) return null

  const { resource, id, counts, isPartial, resolve } = asked
  return (
    <dialog ref={dialog} aria-labelledby="delete-title" onCancel={() => resolve(false)}>
      <h2 id="delete-title">
        Delete {resource} {shorten(id, 40)}?
      </h2>
      <p>Cascade is on, so the rows that depend on it are deleted too:</p>
      <ul class="dependents">
        {[...counts].map(([name, count]) => (
          <li key={name}>
            <strong>{formatCount(count)}</strong> in {name}
          </li>
        ))}
        {isPartial && <li>possibly more that could not be counted</li>}
      </ul>
      <p class="hint">Undo brings all of them back, unless something else changes first.</p>
      <div class="actions">
        <button type="button" class="danger" onClick={() => resolve(true)}>
          Delete all of them
        </button>
        {/* biome-ignore lint/a11y/noAutofocus: the safe choice is the one that Enter gives */}
        <button type="button" autoFocus onClick={() => resolve(false)}>
          Cancel
        </button>
      </div>
    </dialog>
  )
}
