import { isChange, newestChange, type RowChange, undoChange } from '../client/history.ts'
import { recordChange } from '../client/live.ts'
import { isOk } from '../client/send.ts'
import { session } from '../client/session.ts'
import { notify, notifyFailure } from '../parts/notices.tsx'

/** Says that a row was written, and offers to undo that if the history has it as the newest change. */
export async function offerUndoOf(
  text: string,
  change: Pick<RowChange, 'resource' | 'id' | 'op'>,
): Promise<void> {
  const from = session.peek()
  const newest = await newestChange()
  // The page shows other data by now: an Undo would write to that.
  if (session.peek() !== from) return
  offerUndo(text, [change.resource], newest && isChange(newest, change) ? newest.version : undefined)
}

/** Says that these collections were changed, and offers to undo that version for a while. */
export function offerUndo(text: string, names: readonly string[], version: unknown): void {
  const run = () => void undo(names, version)
  notify(text, version === undefined ? {} : { action: { label: 'Undo', run } })
}

async function undo(names: readonly string[], version: unknown): Promise<void> {
  const response = await undoChange(version)
  if (response === undefined) {
    notify('Something else was changed since: undo it in the History tab', { tone: 'bad' })
    return
  }
  if (!isOk(response)) return notifyFailure(response)
  for (const name of names) recordChange(name)
}
