import { useState } from 'preact/hooks'
import { isObject } from '../../core/kernel/json/values.ts'
import { undoChange } from '../client/history.ts'
import { recordChange } from '../client/live.ts'
import { errorOf, isOk, send } from '../client/send.ts'
import { session } from '../client/session.ts'
import { Fault } from '../parts/elements.tsx'
import { countRows } from '../parts/format.ts'
import { notify, notifyFailure } from '../parts/notices.tsx'
import { Dialog } from '../parts/overlays.tsx'

/** A button that adds rows like those of a collection: how many, and by which seed. */
export function GrowRows({ resource }: { resource: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Add rows like these
      </button>
      {isOpen && <GrowDialog resource={resource} onClose={() => setOpen(false)} />}
    </>
  )
}

function GrowDialog({ resource, onClose }: { resource: string; onClose: () => void }) {
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement) || isBusy) return
    const data = new FormData(event.currentTarget)
    setBusy(true)
    const failed = await growRows(resource, Number(data.get('count')), String(data.get('seed')))
    setBusy(false)
    setFault(failed)
    if (failed === undefined) onClose()
  }

  return (
    <Dialog labelledBy="grow-title" onCancel={onClose}>
      <form onSubmit={submit}>
        <h2 id="grow-title">Add rows like these</h2>
        <div class="field">
          <label for="grow-count">Rows</label>
          <input id="grow-count" name="count" type="number" min="1" max="100000" defaultValue="20" required />
        </div>
        <div class="field">
          <label for="grow-seed">Seed (optional)</label>
          <input id="grow-seed" name="seed" type="number" min="0" max="999999999" />
        </div>
        <Fault text={fault} />
        <p class="hint">Values, keys and texts are like those of the {resource} that are there.</p>
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy}>
            Add
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Adds rows in one change, and offers to undo it for a while. Resolves with what went wrong. */
async function growRows(resource: string, count: number, seed: string): Promise<string | undefined> {
  const from = session.peek()
  const path = `/__grow${seed === '' ? '' : `?seed=${seed}`}`
  const response = await send('POST', path, { body: JSON.stringify({ [resource]: count }) })
  if (!isOk(response)) return errorOf(response).message
  const { version, created } = isObject(response.data) ? response.data : {}
  const names = isObject(created) ? Object.keys(created) : [resource]
  for (const name of names) recordChange(name)
  // The page shows other data by now: an Undo would write to that.
  if (session.peek() === from) {
    notify(`${countRows(resource, count)} added`, {
      action: { label: 'Undo', run: () => void undo(names, version) },
    })
  }
  return undefined
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
