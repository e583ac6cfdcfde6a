import { useState } from 'preact/hooks'
import { isObject } from '../../core/kernel/json/values.ts'
import { recordChange } from '../client/live.ts'
import { errorOf, isOk, send } from '../client/send.ts'
import { session } from '../client/session.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { countRows } from '../parts/format.ts'
import { offerUndo } from './offer-undo.ts'

/** A button that adds rows like those of a collection: how many, and by which seed. */
export function GrowRows({ resource }: { resource: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Add rows<span class="wide"> like these</span>
      </button>
      {isOpen && <GrowDialog resource={resource} onClose={() => setOpen(false)} />}
    </>
  )
}

function GrowDialog({ resource, onClose }: { resource: string; onClose: () => void }) {
  return (
    <FormDialog
      title="Add rows like these"
      action="Add"
      onSubmit={(data) => growRows(resource, Number(data.get('count')), String(data.get('seed')))}
      onClose={onClose}
    >
      <div class="field">
        <label for="grow-count">Rows</label>
        <input id="grow-count" name="count" type="number" min="1" max="100000" defaultValue="20" required />
      </div>
      <div class="field">
        <label for="grow-seed">Seed (optional)</label>
        <input id="grow-seed" name="seed" type="number" min="0" max="999999999" />
      </div>
      <p class="hint">Values, keys and texts are like those of the {resource} that are there.</p>
    </FormDialog>
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
  if (session.peek() === from) offerUndo(`${countRows(resource, count)} added`, names, version)
  return undefined
}
