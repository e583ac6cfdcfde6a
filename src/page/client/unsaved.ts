import { signal } from '@preact/signals'

interface LeaveRequest {
  resolve(isLeaving: boolean): void
}

/** The open question whether to leave a form, which a dialog shows. */
export const leaveRequest = signal<LeaveRequest | undefined>(undefined)

let hasUnsaved = false

/** Whether the open form has changes that are not saved. */
export function setUnsaved(isUnsaved: boolean): void {
  hasUnsaved = isUnsaved
  // Only while needed: browsers keep no page with such a listener ready for the back button.
  if (isUnsaved) addEventListener('beforeunload', stay)
  else removeEventListener('beforeunload', stay)
}

/** Acts immediately, or after the user has agreed to discard unsaved changes; not at all otherwise. */
export function leaveForm(act: () => void): void {
  if (!hasUnsaved) {
    act()
    return
  }
  leaveRequest.value = {
    resolve(isLeaving) {
      leaveRequest.value = undefined
      if (!isLeaving) return
      setUnsaved(false)
      act()
    },
  }
}

function stay(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
