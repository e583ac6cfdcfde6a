import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { formatCount, shorten } from '../parts/format.ts'
import type { Dependents } from './dependents.ts'

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
