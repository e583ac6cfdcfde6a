import { leaveRequest } from '../client/unsaved.ts'
import { Pairs } from '../parts/elements.tsx'
import { shorten } from '../parts/format.ts'
import { preview } from '../parts/json.ts'
import { ConfirmDialog } from '../parts/overlays.tsx'
import type { FieldChange } from './row-changes.ts'

interface ChangedElsewhereProps {
  readonly changes: readonly FieldChange[]
  /** Whether the user changed the field, too. */
  readonly isMine: (name: string) => boolean
  readonly onTake: () => void
  readonly onKeep: () => void
}

const MOST_CHANGES = 6

/** Changes by another client to the row being edited. Nothing is saved until the user has chosen. */
export function ChangedElsewhere({ changes, isMine, onTake, onKeep }: ChangedElsewhereProps) {
  const more = changes.length - MOST_CHANGES
  return (
    <div class="note" role="alert">
      <p>This row was changed elsewhere while you edited it:</p>
      <Pairs
        kind="changes"
        pairs={changes.slice(0, MOST_CHANGES).map(({ name, before, after }) => [
          shorten(name, 40),
          <>
            {preview(before) || '—'} → {preview(after) || '—'}
            {isMine(name) && <strong> (you changed it, too)</strong>}
          </>,
        ])}
      />
      {more > 0 && <p>and {more} more</p>}
      <div class="actions">
        <button type="button" title="Your other changes stay" onClick={onTake}>
          Take theirs
        </button>
        <button type="button" title="Save overwrites what you changed, too" onClick={onKeep}>
          Keep mine
        </button>
      </div>
    </div>
  )
}

/** Confirms that unsaved changes are discarded. */
export function LeaveDialog() {
  if (!leaveRequest.value) return null
  return (
    <ConfirmDialog
      title="Leave without saving?"
      yes="Discard changes"
      no="Keep editing"
      onChoose={leaveRequest.value.resolve}
    >
      <p>What you changed in this form is not saved yet.</p>
    </ConfirmDialog>
  )
}
