import { useState } from 'preact/hooks'
import { newestChange } from '../client/history.ts'
import { recordChange } from '../client/live.ts'
import { pathOf } from '../client/query.ts'
import { errorOf, isOk, send } from '../client/send.ts'
import { session } from '../client/session.ts'
import { Icon } from '../parts/elements.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { capitalize, countRows, rowName } from '../parts/format.ts'
import { parseJson } from '../parts/json.ts'
import { offerUndo } from './offer-undo.ts'

interface AddFieldProps {
  readonly resource: string
  /** The fields that there are. */
  readonly names: readonly string[]
  /** The row that may have it alone. */
  readonly id?: string | undefined
  /** How many rows there are; undefined if only the row can have it. */
  readonly total?: number | undefined
}

/** A button that adds a field: to one row, or to all. */
export function AddField({ resource, names, id, total }: AddFieldProps) {
  const [isOpen, setOpen] = useState(false)
  const all = total === undefined ? undefined : countRows(resource, total)

  async function add(data: FormData): Promise<string | undefined> {
    const [name, text] = [String(data.get('name')), String(data.get('value'))]
    if (names.includes(name)) return `There is a field called ${name} already.`
    const { value = text } = parseJson(text)
    return addField(resource, data.get('scope') === 'one' ? id : undefined, { [name]: value })
  }

  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        <Icon name="plus" /> Field
      </button>
      {isOpen && (
        <FormDialog title="Add a field" action="Add" onSubmit={add} onClose={() => setOpen(false)}>
          <div class="field">
            <label for="field-name">Name</label>
            <input id="field-name" name="name" required autocomplete="off" />
          </div>
          <div class="field">
            <label for="field-value">Value</label>
            <input id="field-value" name="value" autocomplete="off" />
          </div>
          <div class="field">
            <label for="field-scope">In</label>
            <select id="field-scope" name="scope">
              {id !== undefined && <option value="one">{rowName(resource, id)}</option>}
              {all !== undefined && <option value="all">all {all}</option>}
            </select>
          </div>
          <p class="hint">12, true, null and {'{ … }'} are JSON; anything else is text.</p>
        </FormDialog>
      )}
    </>
  )
}

/** Adds a field, and offers to undo that. Resolves with what went wrong. */
async function addField(
  resource: string,
  id: string | undefined,
  fields: object,
): Promise<string | undefined> {
  const from = session.peek()
  const path = id === undefined ? `${pathOf(resource)}?_all=true` : pathOf(resource, id)
  const response = await send('PATCH', path, { body: JSON.stringify(fields) })
  if (!isOk(response)) return errorOf(response).message
  recordChange(resource)
  const newest = await newestChange()
  // The page shows other data by now: an Undo would write to that.
  if (session.peek() !== from) return undefined
  const isIt = newest?.changes.every((change) => change.resource === resource && change.op === 'update')
  const name = Object.keys(fields).join()
  const where = id === undefined ? resource : capitalize(rowName(resource, id))
  offerUndo(`${name} added to ${where}`, [resource], isIt ? newest?.version : undefined)
  return undefined
}
