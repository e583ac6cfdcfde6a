import { leaveRequest } from '../client/unsaved.ts'
import { Dialog } from '../parts/overlays.tsx'

/** Confirms that unsaved changes are discarded. */
export function LeaveDialog() {
  if (!leaveRequest.value) return null
  const { resolve } = leaveRequest.value
  return (
    <Dialog labelledBy="leave-title" onCancel={() => resolve(false)}>
      <h2 id="leave-title">Leave without saving?</h2>
      <p>What you changed in this form is not saved yet.</p>
      <div class="actions">
        <button type="button" class="danger" onClick={() => resolve(true)}>
          Discard changes
        </button>
        {/* biome-ignore lint/a11y/noAutofocus: the safe choice is the one that Enter gives */}
        <button type="button" autoFocus onClick={() => resolve(false)}>
          Keep editing
        </button>
      </div>
    </Dialog>
  )
}
