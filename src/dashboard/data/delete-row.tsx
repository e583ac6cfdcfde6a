import { signal } from '@preact/signals'
import { recordChange } from '../client/live.ts'
import { pathOf } from '../client/query.ts'
import { type ApiResponse, headerOf, isOk, send } from '../client/send.ts'
import { service } from '../client/service.ts'
import { session } from '../client/session.ts'
import { capitalize, formatCount, rowName, shorten } from '../parts/format.ts'
import { notify, notifyFailure } from '../parts/notices.tsx'
import { Dialog } from '../parts/overlays.tsx'
import { isDeletion, newestChange, UNDO } from '../tools/entries.ts'
import { type DeletedRow, recordDeletion, recordRestore } from './deleted-rows.ts'
import { countDependents, type Dependents } from './dependents.ts'

/** The index of a deleted row, and the index at which to insert one. */
const INDEX = 'X-Restable-Place'

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
  if (service.value?.cascade && !(await isSure(resource, id))) return undefined
  const from = session.peek()
  const response = await send('DELETE', pathOf(resource, id))
  if (!isOk(response)) return response
  recordChange(resource)
  const newest = await newestChange()
  // The page shows other data by now: an Undo would write to that.
  if (session.peek() !== from) return response
  // Another change may have come in between.
  const version = newest && isDeletion(newest, resource, id) ? newest.version : undefined
  const index = headerOf(response, INDEX)
  const row = index === undefined ? undefined : recordDeletion(resource, Number(index))
  notify(capitalize(`${rowName(resource, id)} deleted`), {
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

async function restore(deletion: Deletion): Promise<void> {
  const { resource, id, row } = deletion
  const response = await sendRestore(deletion)
  if (isOk(response)) {
    if (row) recordRestore(row)
    recordChange(resource)
    notify(capitalize(`${rowName(resource, id)} restored`))
  } else notifyFailure(response)
}

/** Undoes the deletion, dependents included; after other changes, inserts the row again where it was. */
async function sendRestore({ resource, text, row, version }: Deletion): Promise<ApiResponse> {
  if (version !== undefined && (await newestChange())?.version === version) return send('POST', UNDO)
  const headers = row ? { [INDEX]: String(row.index) } : {}
  return send('POST', pathOf(resource), { body: text, headers })
}

interface DeleteRequest extends Dependents {
  readonly resource: string
  readonly id: string
  resolve(isSure: boolean): void
}

const deleteRequest = signal<DeleteRequest | undefined>(undefined)

function confirmDelete(resource: string, id: string, dependents: Dependents): Promise<boolean> {
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

/** Confirms the deletion of a row and of everything that depends on it. */
export function DeleteDialog() {
  if (!deleteRequest.value) return null
  const { resource, id, counts, isPartial, resolve } = deleteRequest.value
  return (
    <Dialog labelledBy="delete-title" onCancel={() => resolve(false)}>
      <h2 id="delete-title">Delete {rowName(resource, shorten(id, 40))}?</h2>
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
    </Dialog>
  )
}
