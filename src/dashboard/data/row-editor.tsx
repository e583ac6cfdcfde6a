import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { isObject } from '../../json/record.ts'
import { type FieldSchema, fieldsOfSchema } from '../client/field-schema.ts'
import { recordChange } from '../client/live.ts'
import { pathOf } from '../client/query.ts'
import { type ApiResponse, isOk, send } from '../client/send.ts'
import { useResponse } from '../client/use-response.ts'
import { FieldErrors, Segments } from '../parts/elements.tsx'
import { Failure } from '../parts/failure.tsx'
import { JsonEditor } from '../parts/json-editor.tsx'
import { notify } from '../parts/notices.tsx'
import { FieldInput } from './field-input.tsx'
import {
  byName,
  changedFields,
  errorsIn,
  type FormField,
  fieldsFromJson,
  jsonFromFields,
  readRow,
} from './form-fields.ts'

export interface RowEditorProps {
  readonly resource: string
  /** Undefined for a new row and for a single object. */
  readonly id?: string
  readonly isNew: boolean
  readonly fields: readonly FormField[]
  readonly schemas: readonly FieldSchema[]
  /** The row as the server wrote it. */
  readonly json: string
  readonly onDone: (saved: unknown) => void
  readonly onCancel: () => void
}

/**
 * Edits a row: field by field, sending what changed (PATCH), or as one JSON text that replaces it (PUT). The server
 * judges what is sent: a schema that was inferred from the rows does not bind the next one.
 */
export function RowEditor(props: RowEditorProps) {
  const { resource, id, isNew, schemas, onDone, onCancel } = props
  const form = useRef<HTMLFormElement>(null)
  const [chosen, choose] = useState<'form' | 'json'>()
  // By name: the schema may arrive later, and bring more fields.
  const [typed, setTyped] = useState<ReadonlyMap<string, FormField>>(new Map())
  const [json, setJson] = useState(props.json)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [failure, setFailure] = useState<ApiResponse>()
  const [corrected, setCorrected] = useState<ReadonlySet<string>>(new Set())

  const fields = props.fields.map((field) => typed.get(field.name) ?? field)
  const known = byName(schemas)
  const isForm = (chosen ?? (fields.length > 0 ? 'form' : 'json')) === 'form'
  const { byField, others } = errorsIn(failure?.data, isForm ? fields.map(({ name }) => name) : [])
  const shown = new Map([...byField].filter(([name]) => !corrected.has(name)))
  useEffect(() => {
    if (failure) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failure])

  /** Carries over what was typed when switching between form and JSON. */
  function show(asForm: boolean): void {
    if (asForm === isForm) return
    const moved = asForm ? fieldsFromJson(json, fields) : jsonFromFields(fields, json)
    setFault(moved.fault)
    if (moved.fault !== undefined) return
    if (moved.fields) setTyped(new Map(moved.fields.map((field) => [field.name, field])))
    if (moved.json !== undefined) setJson(moved.json)
    choose(asForm ? 'form' : 'json')
  }

  function type(field: FormField): void {
    setTyped(new Map([...typed, [field.name, field]]))
    setCorrected(new Set([...corrected, field.name]))
  }

  async function save(event?: Event): Promise<void> {
    event?.preventDefault()
    const body = isForm ? formBody(fields, form.current) : jsonBody(json)
    setFault(body.fault)
    if (body.text === undefined || isBusy) return
    setBusy(true)
    const method = isNew ? 'POST' : isForm ? 'PATCH' : 'PUT'
    const response = await send(method, pathOf(resource, isNew ? undefined : id), { body: body.text })
    setBusy(false)
    setCorrected(new Set())
    setFailure(isOk(response) ? undefined : response)
    if (!isOk(response)) return
    recordChange(resource)
    notify(isNew ? `Created a row in ${resource}` : `Saved ${resource} ${id ?? ''}`)
    onDone(response.data)
  }

  return (
    <form class="row-editor" ref={form} noValidate onSubmit={save}>
      {fields.length > 0 && (
        <Segments
          label="Edit as"
          options={{ form: 'Form', json: 'JSON' }}
          chosen={isForm ? 'form' : 'json'}
          onChoose={(name) => show(name === 'form')}
        />
      )}
      {isForm ? (
        fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            schema={known.get(field.name)}
            errors={shown.get(field.name) ?? []}
            onInput={(text) => type({ ...field, text })}
          />
        ))
      ) : (
        <JsonEditor label="The row as JSON" isLabelHidden text={json} rows={18} onInput={setJson} />
      )}
      {fault && (
        <p class="failure" role="alert">
          {fault}
        </p>
      )}
      {failure && <Failure response={failure} onRetry={save} />}
      <FieldErrors errors={others} />
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

function formBody(fields: readonly FormField[], form: HTMLFormElement | null): Body {
  // The browser shows what it cannot read, such as half a date, but tells us that it is empty.
  const inputs = form?.querySelectorAll<HTMLInputElement>('input') ?? []
  const unread = [...inputs].find(({ validity }) => validity.badInput)
  if (unread) {
    unread.focus()
    return { fault: `${unread.dataset.field} is not a ${unread.type === 'number' ? 'number' : 'date'} yet` }
  }
  const changed = changedFields(fields)
  return 'fault' in changed ? { fault: changed.fault } : { text: JSON.stringify(changed.row) }
}

/** The text itself is sent: reading and writing it again could round long numbers. */
function jsonBody(text: string): Body {
  const { fault } = readRow(text)
  return fault === undefined ? { text } : { fault }
}

/**
 * What the server says of a resource's fields: asked for once there is a form to fill in. Nothing until it has said it, and where it does not
 * describe itself.
 */
export function useFieldSchemas(resource: string | undefined): readonly FieldSchema[] {
  const response = useResponse(resource === undefined ? undefined : `/__schema${pathOf(resource)}`, '')
  return useMemo(
    () => (response && isOk(response) && isObject(response.data) ? fieldsOfSchema(response.data) : []),
    [response],
  )
}
