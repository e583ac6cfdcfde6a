import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { formatCount, shorten } from '../parts/format.ts'
import type { Dependents } from './dependents.ts'

interface Question extends Dependents {
  readonly resource: string
  readonly id: string
  answer(isSure: boolean): void
}

const question = signal<Question | undefined>(undefined)

/** Asks whether to delete a row along with everything that depends on it. */
export function confirmDelete(resource: string, id: string, dependents: Dependents): Promise<boolean> {
  return new Promise((resolve) => {
    question.value = {
      ...dependents,
      resource,
      id,
      answer(isSure) {
        question.value = undefined
        resolve(isSure)
      },
    }
  })
}

/** Lists what will be deleted for good. */
export function DeleteDialog() {
  const asked = question.value
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (asked && !dialog.current?.open) dialog.current?.showModal()
  }, [asked])
  if (!asked) return null

  const { resource, id, counts, isPartial, answer } = asked
  return (
    <dialog ref={dialog} aria-labelledby="delete-title" onCancel={() => answer(false)}>
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
        <button type="button" class="danger" onClick={() => answer(true)}>
          Delete all of them
        </button>
        {/* biome-ignore lint/a11y/noAutofocus: the safe answer is the one that Enter gives */}
        <button type="button" autoFocus onClick={() => answer(false)}>
          Cancel
        </button>
      </div>
    </dialog>
  )
}
