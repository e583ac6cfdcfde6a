import { useId, useState } from 'preact/hooks'
import { urlSegment } from '../../json/url-segment.ts'
import { isObject } from '../../json/values.ts'
import type { FieldSchema } from '../client/field-schema.ts'
import { pathOf, withQuery } from '../client/query.ts'
import { isOk, send } from '../client/send.ts'
import { idField } from '../client/service.ts'
import { FieldErrors } from '../parts/elements.tsx'
import { shorten } from '../parts/format.ts'
import { JsonEditor } from '../parts/json-editor.tsx'
import { controlOf, fromLocalTime, toLocalTime } from './form-control.ts'
import type { FormField } from './form-fields.ts'
import { idOf } from './rows.ts'

interface FieldInputProps {
  readonly field: FormField
  readonly schema: FieldSchema | undefined
  readonly errors: readonly string[]
  readonly onInput: (text: string) => void
}

export function FieldInput({ field, schema, errors, onInput }: FieldInputProps) {
  const id = useId()
  const { ids, load } = useSuggestions(schema?.references)
  const { name, text, isNull, initial } = field
  const control = controlOf(field, schema)
  const isTime = control.kind === 'input' && control.type === 'datetime-local'
  const isInvalid = errors.length > 0
  const common = {
    id,
    disabled: schema?.isReadOnly === true,
    'data-field': name,
    'aria-required': schema?.isRequired === true && !schema.isInferred,
    'aria-invalid': isInvalid,
    'aria-describedby': isInvalid ? `${id}-errors` : undefined,
    onInput: (event: Event & { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  }
  return (
    <div class="field">
      {control.kind === 'checkbox' ? (
        <div class="check">
          <input
            {...common}
            type="checkbox"
            checked={text === 'true'}
            onInput={(event) => onInput(String(event.currentTarget.checked))}
          />
          <label for={id}>{name}</label>
        </div>
      ) : (
        <div class="field-head">
          <label for={id}>{name}</label>
          <Mark schema={schema} />
        </div>
      )}
      {control.kind === 'json' && (
        <JsonEditor
          id={id}
          text={text}
          disabled={common.disabled}
          aria-required={common['aria-required']}
          mayBeEmpty={initial === ''}
          errorsId={common['aria-describedby']}
          onInput={onInput}
        />
      )}
      {control.kind === 'textarea' && <textarea {...common} rows={4} value={text} />}
      {control.kind === 'select' && (
        <select {...common} value={text}>
          {control.options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
      {control.kind === 'input' && (
        <input
          {...common}
          type={control.type}
          step={control.step}
          placeholder={isNull ? 'null' : ''}
          value={isTime ? toLocalTime(text) : text}
          list={ids.length > 0 ? `${id}-ids` : undefined}
          onFocus={load}
          onInput={({ currentTarget: { value } }) => onInput(isTime ? fromLocalTime(value) : value)}
        />
      )}
      {ids.length > 0 && (
        <datalist id={`${id}-ids`}>
          {ids.map(({ value, label }) => (
            <option key={value} value={value} label={label} />
          ))}
        </datalist>
      )}
      <FieldErrors id={`${id}-errors`} errors={errors} />
    </div>
  )
}

/** Beside the label, not in it: the input itself tells screen readers that it is required. */
function Mark({ schema }: { schema: FieldSchema | undefined }) {
  const { isRequired, isInferred, isReadOnly, references } = schema ?? {}
  const texts = [
    ...(references === undefined ? [] : [`id of ${references}`]),
    ...(isReadOnly ? ['read-only'] : isRequired && !isInferred ? ['required'] : []),
  ]
  return texts.length === 0 ? null : (
    <span class="mark" aria-hidden="true">
      {texts.join(', ')}
    </span>
  )
}

const MOST_SUGGESTIONS = 100

/** Fields whose value identifies a row to people. */
const LABEL_FIELDS = ['name', 'title', 'label', 'email', 'username']

interface Suggestion {
  readonly value: string
  readonly label: string
}

/** The ids that a foreign key may have, loaded when the field is focused. */
function useSuggestions(resource: string | undefined): {
  readonly ids: readonly Suggestion[]
  load(): void
} {
  const [ids, setIds] = useState<readonly Suggestion[]>([])
  const [isRequested, setRequested] = useState(false)

  async function request(name: string): Promise<void> {
    setRequested(true)
    const fields = [idField(), ...LABEL_FIELDS].map(urlSegment).join(',')
    const query = `_limit=${MOST_SUGGESTIONS}&_fields=${fields}`
    const response = await send('GET', withQuery(pathOf(name), query), { isRaw: true })
    const rows = isOk(response) && Array.isArray(response.data) ? response.data.filter(isObject) : []
    setIds(rows.flatMap(suggestionOf))
  }

  return {
    ids,
    load: () => {
      if (resource !== undefined && !isRequested) void request(resource)
    },
  }
}

function suggestionOf(row: Record<string, unknown>): readonly Suggestion[] {
  const value = idOf(row, idField())
  const name = LABEL_FIELDS.map((field) => row[field]).find((text) => typeof text === 'string')
  return value === undefined ? [] : [{ value, label: shorten(String(name ?? value), 60) }]
}
