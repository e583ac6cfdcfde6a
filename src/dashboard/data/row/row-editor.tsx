import { useState } from 'preact/hooks'
import { pathOf } from '../../api/query.ts'
import { type Answer, isOk, send } from '../../api/send.ts'
import { Failure } from '../../parts/failure.tsx'
import { JsonEditor } from '../../parts/json-editor.tsx'
import { Segments } from '../../parts/segments.tsx'
import { noteChange } from '../../state/live.ts'
import { notify } from '../../state/notices.ts'
import { changedFields, type FormField, fieldsFromJson, jsonFromFields, readRow } from './form-field.ts'
import { RowForm } from './row-form.tsx'

export interface RowEditorProps {
  readonly resource: string
  /** Undefined for a new row and for a single object. */
  readonly id?: string
  readonly isNew: boolean
  readonly fields: readonly FormField[]
  /** The row as the server wrote it. */
  readonly json: string
  readonly onDone: (saved: unknown) => void
  readonly onCancel: () => void
}

/** Edits a row: field by field, sending what changed (PATCH), or as one JSON text that replaces it (PUT). */
export function RowEditor(props: RowEditorProps) {
  const { resource, id, isNew, onDone, onCancel } = props
  const [isForm, setForm] = useState(props.fields.length > 0)
  const [fields, setFields] = useState(props.fields)
  const [json, setJson] = useState(props.json)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [failure, setFailure] = useState<Answer>()

  /** Carries over what was typed when switching between form and JSON. */
  function show(asForm: boolean): void {
    if (asForm === isForm) return
    const moved = asForm ? fieldsFromJson(json, fields) : jsonFromFields(fields, json)
    setFault(moved.fault)
    if (moved.fault !== undefined) return
    if (moved.fields) setFields(moved.fields)
    if (moved.json !== undefined) setJson(moved.json)
    setForm(asForm)
  }

  async function save(event?: Event): Promise<void> {
    event?.preventDefault()
    const body = isForm ? formBody(fields) : jsonBody(json)
    setFault(body.fault)
    if (body.text === undefined || isBusy) return
    setBusy(true)
    const method = isNew ? 'POST' : isForm ? 'PATCH' : 'PUT'
    const answer = await send(method, pathOf(resource, isNew ? undefined : id), { body: body.text })
    setBusy(false)
    setFailure(isOk(answer) ? undefined : answer)
    if (!isOk(answer)) return
    noteChange(resource)
    notify(isNew ? `Created a row in ${resource}` : `Saved ${resource} ${id ?? ''}`)
    onDone(answer.data)
  }

  return (
    <form class="row-editor" onSubmit={save}>
      {fields.length > 0 && (
        <Segments
          label="Edit as"
          options={{ form: 'Form', json: 'JSON' }}
          chosen={isForm ? 'form' : 'json'}
          onChoose={(name) => show(name === 'form')}
        />
      )}
      {isForm ? (
        <RowForm fields={fields} onChange={setFields} />
      ) : (
        <JsonEditor label="The row as JSON" isLabelHidden text={json} rows={18} onInput={setJson} />
      )}
      {fault && (
        <p class="failure" role="alert">
          {fault}
        </p>
      )}
      {failure && <Failure answer={failure} onRetry={save} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          {isNew ? 'Create' : 'Save'}
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}

interface Body {
  readonly text?: string
  readonly fault?: string
}

function formBody(fields: readonly FormField[]): Body {
  const changed = changedFields(fields)
  return 'fault' in changed ? { fault: changed.fault } : { text: JSON.stringify(changed.row) }
}

/** The text itself is sent: reading and writing it again could round long numbers. */
function jsonBody(text: string): Body {
  const { fault } = readRow(text)
  return fault === undefined ? { text } : { fault }
}
