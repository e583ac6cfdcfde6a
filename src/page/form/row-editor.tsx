import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isObject } from '../../core/kernel/json/values.ts'
import type { FieldSchema } from '../client/field-schema.ts'
import { recordChange, reloadAll } from '../client/live.ts'
import { pathOf } from '../client/query.ts'
import { type ApiResponse, headerOf, isOk, send } from '../client/send.ts'
import { idField, resources } from '../client/service.ts'
import { leaveForm, setUnsaved } from '../client/unsaved.ts'
import { keysOf } from '../data/keys.ts'
import { offerUndoOf } from '../data/offer-undo.ts'
import { idOf, type Row } from '../data/rows.ts'
import { Segments } from '../parts/controls.tsx'
import { Fault, FieldErrors } from '../parts/elements.tsx'
import { Failure } from '../parts/failure.tsx'
import { capitalize, rowName } from '../parts/format.ts'
import { JsonEditor } from '../parts/json-editor.tsx'
import { FieldInput } from './field-input.tsx'
import { byName, errorsIn, type FormField, serverFields } from './form-fields.ts'
import { changedFields, readRow } from './row-changes.ts'
import { ChangedElsewhere } from './unsaved-changes.tsx'
import { useDraft } from './use-draft.ts'
import { useFieldSchemas } from './use-field-schemas.ts'

interface RowEditorProps {
  readonly resource: string
  /** Undefined for a new row and for a single object. */
  readonly id?: string
  /** The row as it is now; undefined for a new one. */
  readonly current?: ApiResponse
  /** Other rows of the collection: what a new one starts with, and values to suggest. */
  readonly rows?: readonly Row[]
  /** Loads `current` again: the next form begins with what this one saved. */
  readonly reload?: () => Promise<void>
  readonly onDone: (saved: unknown) => void
  readonly onCancel: () => void
}

/**
 * Edits a row: field by field, sending what changed (PATCH), or as one JSON text that replaces it (PUT), both only if
 * the row is still the one that was edited. The server judges what is sent: a schema that was inferred from the rows
 * does not bind the next one.
 */
export function RowEditor({ resource, id, current, rows = [], reload, onDone, onCancel }: RowEditorProps) {
  const isNew = current === undefined
  const isDeleted = id !== undefined && current?.status === 404
  const schemas = useFieldSchemas(resource) ?? NONE
  const form = useRef<HTMLFormElement>(null)
  // The first ones: they may be gone while this form is open.
  const [others] = useState(rows)
  const draft = useDraft({ resource, current, example: others[0] ?? {}, schemas, hasId: id !== undefined })
  const { base, fields, isForm, isDirty, fault } = draft
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ApiResponse>()
  const [corrected, setCorrected] = useState<ReadonlySet<string>>(new Set())
  const hasConflicts = draft.conflicts.length > 0 && !isBusy

  const schemaOf = byName(schemas)
  const keys = keysOf(resources.value.find(({ name }) => name === resource) ?? { relations: [] }, schemas)
  const errors = errorsIn(failure?.data, isForm ? fields.map(({ name }) => name) : [])
  const hasFields = fields.length > 0
  // Before the next key is pressed.
  useLayoutEffect(() => {
    const isTyping = form.current?.contains(document.activeElement)
    if (!isTyping)
      form.current?.querySelector<HTMLElement>('.field :is(input, select, textarea):enabled')?.focus()
  }, [hasFields])
  useLayoutEffect(() => {
    if (failure) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failure])
  useEffect(() => {
    if (isDeleted && !isDirty && !isBusy) onCancel()
  }, [isDeleted, isDirty])

  function type(field: FormField): void {
    draft.type(field)
    setCorrected(new Set([...corrected, field.name]))
  }

  async function save(event?: Event): Promise<void> {
    event?.preventDefault()
    if (base && !isDeleted && !isDirty) return onDone(base.data)
    const whole = isDeleted && isObject(base?.data) ? base.data : {}
    const body = isForm ? formBody(fields, form.current, whole) : jsonBody(draft.json)
    draft.setFault(body.fault)
    if (body.text === undefined || isBusy || hasConflicts) return
    setBusy(true)
    const isCreating = isNew || isDeleted
    const method = isCreating ? 'POST' : isForm ? 'PATCH' : 'PUT'
    const tag = isCreating || !base ? undefined : headerOf(base, 'etag')
    const response = await send(method, pathOf(resource, isCreating ? undefined : id), {
      body: body.text,
      ...(tag !== undefined && { headers: { 'If-Match': tag } }),
    })
    setCorrected(new Set())
    setFailure(isOk(response) ? undefined : response)
    // Changed or deleted elsewhere, which the page has not noticed yet.
    if (response.status === 412 || response.status === 404) reloadAll()
    if (!isOk(response)) return setBusy(false)
    recordChange(resource)
    const saved = isNew && isObject(response.data) ? idOf(response.data, idField(resource)) : id
    const op = isCreating ? 'create' : 'update'
    const text = capitalize(`${rowName(resource, saved)} ${isCreating ? 'created' : 'saved'}`)
    void offerUndoOf(text, { resource, id: saved ?? null, op })
    setUnsaved(false)
    await reload?.()
    onDone(response.data)
  }

  /** Goes on from the newer version of the row: what the server said about the old one is no longer true. */
  function resolveConflict(choose: () => void): void {
    setFailure(undefined)
    choose()
  }

  return (
    <form class="row-editor" ref={form} noValidate onSubmit={save}>
      {fields.length > 0 && (
        <Segments
          label="Edit as"
          options={{ form: 'Form', json: 'JSON' }}
          chosen={isForm ? 'form' : 'json'}
          onChoose={(name) => draft.show(name === 'form')}
        />
      )}
      {isForm ? (
        fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            schema={schemaOf.get(field.name)}
            to={keys.get(field.name)}
            values={others.map((row) => row[field.name])}
            errors={(!corrected.has(field.name) && errors.byField.get(field.name)) || []}
            onInput={(text, change) => type({ ...field, text, ...change })}
          />
        ))
      ) : (
        <div class="field">
          <JsonEditor aria-label="The row as JSON" text={draft.json} rows={18} onInput={draft.typeJson} />
        </div>
      )}
      {isNew && isForm && (
        <p class="mark">The server fills in {serverFields(schemas, idField(resource)).join(', ')}.</p>
      )}
      <div class="form-foot">
        <Fault text={fault} />
        {isDeleted && isDirty && (
          <p class="note" role="alert">
            This row was deleted elsewhere. Create it again with your changes, or cancel.
          </p>
        )}
        {hasConflicts && (
          <ChangedElsewhere
            changes={draft.conflicts}
            isMine={draft.isMine}
            onTake={() => resolveConflict(draft.takeTheirs)}
            onKeep={() => resolveConflict(draft.keepMine)}
          />
        )}
        {failure && !hasConflicts && !isDeleted && <Failure response={failure} onRetry={save} />}
        <FieldErrors errors={errors.others} />
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy || hasConflicts}>
            {isNew ? 'Create' : isDeleted ? 'Create again' : 'Save'}
          </button>
          <button type="button" onClick={() => leaveForm(onCancel)}>
            Cancel
          </button>
        </div>
      </div>
    </form>
  )
}

const NONE: readonly FieldSchema[] = []

interface Body {
  readonly text?: string
  readonly fault?: string
}

/** The changed fields; with the rest of the row if all of it must be sent. */
function formBody(fields: readonly FormField[], form: HTMLFormElement | null, whole: Row): Body {
  // The browser reports an input that it cannot read, such as half a date, as empty.
  const inputs = form?.querySelectorAll<HTMLInputElement>('input') ?? []
  const unread = [...inputs].find(({ validity }) => validity.badInput)
  if (unread) {
    unread.focus()
    return { fault: `${unread.dataset.field} is not a ${unread.type === 'number' ? 'number' : 'date'} yet` }
  }
  const changed = changedFields(fields)
  return 'fault' in changed
    ? { fault: changed.fault }
    : { text: JSON.stringify({ ...whole, ...changed.row }) }
}

/** The text itself is sent: reading and writing it again could round long numbers. */
function jsonBody(text: string): Body {
  const { fault } = readRow(text)
  return fault === undefined ? { text } : { fault }
}
