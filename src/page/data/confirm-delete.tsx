import { signal } from '@preact/signals'
import { formatCount, rowName, shorten } from '../parts/format.ts'
import { ConfirmDialog } from '../parts/overlays.tsx'
import { countDependents, type Dependents } from './dependents.ts'

interface DeleteRequest extends Dependents {
  readonly resource: string
  readonly id: string
  resolve(isSure: boolean): void
}

const deleteRequest = signal<DeleteRequest | undefined>(undefined)

/** Opens a dialog if rows depend on a row; resolves to whether to delete it. */
export async function confirmDelete(resource: string, id: string): Promise<boolean> {
  const dependents = await countDependents(resource, id)
  if (dependents.counts.size === 0 && !dependents.isPartial) return true
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
    <ConfirmDialog
      title={`Delete ${rowName(resource, shorten(id, 40))}?`}
      yes="Delete all of them"
      no="Cancel"
      onChoose={resolve}
    >
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
    </ConfirmDialog>
  )
}
