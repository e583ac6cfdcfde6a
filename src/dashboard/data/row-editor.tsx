import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { isObject } from '../../json/values.ts'
import { type FieldSchema, fieldsOfSchema } from '../client/field-schema.ts'
import { recordChange } from '../client/live.ts'
import { pathOf } from '../client/query.ts'
import { type ApiResponse, isOk, send } from '../client/send.ts'
import { idField } from '../client/service.ts'
import { useResponse } from '../client/use-response.ts'
import { Segments } from '../parts/controls.tsx'
import { FieldErrors } from '../parts/elements.tsx'
import { Failure } from '../parts/failure.tsx'
import { capitalize, rowName } from '../parts/format.ts'
import { JsonEditor } from '../parts/json-editor.tsx'
import { notify } from '../parts/notices.tsx'
import { FieldInput } from './field-input.tsx'
import {
  byName,
  changedFields,
  errorsIn,
  type FormField,
  fieldsFromJson,
  fieldsOfRow,
  jsonFromFields,
  newFields,
  readRow,
} from './form-fields.ts'
import { idOf, type Row } from './rows.ts'

interface RowEditorProps {
  readonly resource: string
  /** Undefined for a new row and for a single object. */
  readonly id?: string
  readonly isNew?: boolean
  /** Of a new row: one with the fields it starts with. */
  readonly row: Row
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
  const { resource, id, isNew = false, row, onDone, onCancel } = props
  const schemas = useFieldSchemas(resource)
  const form = useRef<HTMLFormElement>(null)
  const [chosen, choose] = useState<'form' | 'json'>()
  // By name: the schema may arrive later, and bring more fields.
  const [typed, setTyped] = useState<ReadonlyMap<string, FormField>>(new Map())
  const [json, setJson] = useState(props.json)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [failure, setFailure] = useState<ApiResponse>()
  const [corrected, setCorrected] = useState<ReadonlySet<string>>(new Set())

  const initial = isNew
    ? newFields(row, schemas, idField())
    : fieldsOfRow(row, schemas, id === undefined ? undefined : idField())
  const fields = initial.map((field) => typed.get(field.name) ?? field)
  const schemaOf = byName(schemas)
  const isForm = (chosen ?? (fields.length > 0 ? 'form' : 'json')) === 'form'
  const { byField, others } = errorsIn(failure?.data, isForm ? fields.map(({ name }) => name) : [])
  const shown = new Map([...byField].filter(([name]) => !corrected.has(name)))
  useEffect(() => {
    if (failure) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failure])

  /** Switches between form and JSON with what was typed. */
  function show(asForm: boolean): void {
    if (asForm === isForm) return
    const converted = asForm ? fieldsFromJson(json, fields) : jsonFromFields(fields, json)
    setFault(converted.fault)
    if (converted.fault !== undefined) return
    if (converted.fields) setTyped(new Map(converted.fields.map((field) => [field.name, field])))
    if (converted.json !== undefined) setJson(converted.json)
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
    const saved = isNew && isObject(response.data) ? idOf(response.data, idField()) : id
    notify(capitalize(`${rowName(resource, saved)} ${isNew ? 'created' : 'saved'}`))
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
            schema={schemaOf.get(field.name)}
            errors={shown.get(field.name) ?? []}
            onInput={(text) => type({ ...field, text })}
          />
        ))
      ) : (
        <div class="field">
          <JsonEditor aria-label="The row as JSON" text={json} rows={18} onInput={setJson} />
        </div>
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
  // The browser reports an input that it cannot read, such as half a date, as empty.
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

/** Empty until the server has described the fields, and if it does not. */
function useFieldSchemas(resource: string): readonly FieldSchema[] {
  const response = useResponse(`/__schema${pathOf(resource)}`, '')
  return useMemo(
    () => (response && isOk(response) && isObject(response.data) ? fieldsOfSchema(response.data) : []),
    [response],
  )
}
