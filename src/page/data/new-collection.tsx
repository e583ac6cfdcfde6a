import { useState } from 'preact/hooks'
import { accounts } from '../client/caller.ts'
import { newestChange } from '../client/history.ts'
import { recordChange } from '../client/live.ts'
import { go } from '../client/route.ts'
import { errorOf, isOk, send } from '../client/send.ts'
import { loadService, me, service } from '../client/service.ts'
import { session } from '../client/session.ts'
import { Icon } from '../parts/elements.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { offerUndo } from './offer-undo.ts'

/** A button that creates a collection, for who may do so. */
export function NewCollection() {
  const [isOpen, setOpen] = useState(false)
  const mayCreate = !accounts.value || me.value?.role === 'admin'
  if (!service.value || service.value.readOnly || !mayCreate) return null
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        <Icon name="plus" /> Collection
      </button>
      {isOpen && (
        <FormDialog
          title="Add a collection"
          action="Add"
          onSubmit={(data) => createCollection(String(data.get('name')))}
          onClose={() => setOpen(false)}
        >
          <div class="field">
            <label for="collection-name">Name</label>
            <input id="collection-name" name="name" required maxLength={100} autocomplete="off" />
          </div>
          <p class="hint">Its rows are served at /name.</p>
        </FormDialog>
      )}
    </>
  )
}

/** Creates an empty collection, shows it, and offers to undo that. Resolves with what went wrong. */
async function createCollection(name: string): Promise<string | undefined> {
  const from = session.peek()
  const response = await send('POST', '/__resources', { body: JSON.stringify({ [name]: [] }) })
  if (!isOk(response)) return errorOf(response).message
  recordChange(name)
  const newest = await newestChange()
  await loadService()
  if (session.peek() !== from) return undefined
  go({ view: 'data', resource: name, query: '' })
  const isIt = newest?.changes.some(({ resource, op }) => resource === name && op === 'create')
  offerUndo(`${name} created`, [name], isIt ? newest?.version : undefined)
  return undefined
}
