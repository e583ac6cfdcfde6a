import { useId } from 'preact/hooks'
import type { FieldSchema } from '../client/field-schema.ts'
import { FieldErrors } from '../parts/field-errors.tsx'
import { JsonEditor } from '../parts/json-editor.tsx'
import { controlOf } from './form-control.ts'
import type { FormField } from './form-field.ts'
import { fromLocalTime, toLocalTime } from './local-time.ts'
import { useSuggestions } from './use-suggestions.ts'

interface FieldInputProps {
  readonly field: FormField
  readonly schema: FieldSchema | undefined
  /** In the server's words. */
  readonly errors: readonly string[]
  readonly onInput: (text: string) => void
}

/** One field: its name, the input that suits it, and what is wrong with it. */
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
  const below = <FieldErrors id={`${id}-errors`} errors={errors} />
  if (control.kind === 'json') {
    return (
      <JsonEditor
        label={name}
        text={text}
        isDisabled={common.disabled}
        isRequired={common['aria-required']}
        mayBeEmpty={initial === ''}
        mark={<Mark schema={schema} />}
        errors={errors}
        onInput={onInput}
      />
    )
  }
  if (control.kind === 'checkbox') {
    return (
      <div class="field">
        <div class="check">
          <input
            {...common}
            type="checkbox"
            checked={text === 'true'}
            onInput={(event) => onInput(String(event.currentTarget.checked))}
          />
          <label for={id}>{name}</label>
        </div>
        {below}
      </div>
    )
  }
  return (
    <div class="field">
      <div class="field-head">
        <label for={id}>{name}</label>
        <Mark schema={schema} />
      </div>
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
      {below}
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
