import { useId } from 'preact/hooks'
import type { FieldSchema } from '../client/field-schema.ts'
import type { Key } from '../data/keys.ts'
import { FieldErrors } from '../parts/elements.tsx'
import { preview } from '../parts/json.ts'
import { JsonEditor } from '../parts/json-editor.tsx'
import { controlOf, fromLocalTime, toLocalTime } from './form-control.ts'
import type { FormField } from './form-fields.ts'
import { KeyInput } from './key-input.tsx'

interface FieldInputProps {
  readonly field: FormField
  readonly schema: FieldSchema | undefined
  /** The target of a field that is a key. */
  readonly to: Key | undefined
  /** Of the field in other rows. */
  readonly values: readonly unknown[]
  readonly errors: readonly string[]
  readonly onInput: (text: string, change?: Partial<FormField>) => void
}

export function FieldInput({ field, schema, to, values, errors, onInput }: FieldInputProps) {
  const id = useId()
  const { name, text, isNull, initial } = field
  const control = controlOf(field, schema, { to, values })
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
          <Mark schema={schema} />
        </div>
      ) : (
        <div class="field-head">
          <label for={id}>{name}</label>
          <Mark schema={schema} to={to} />
        </div>
      )}
      {control.kind === 'key' && (
        <KeyInput
          {...common}
          to={control.to}
          field={field}
          // A schema with one type decides what an id is, and otherwise the row that it is of. None is null, not ''.
          onInput={(chosen, kind) =>
            onInput(chosen, { kind: schema?.types.length === 1 ? field.kind : kind, isNull: true })
          }
        />
      )}
      {control.kind === 'json' && (
        <JsonEditor
          id={id}
          text={text}
          disabled={common.disabled}
          aria-required={common['aria-required']}
          mayBeEmpty={initial === ''}
          errorsId={common['aria-describedby']}
          onInput={(typed) => onInput(typed)}
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
          list={control.suggestions && `${id}-suggestions`}
          onInput={({ currentTarget: { value } }) => onInput(isTime ? fromLocalTime(value) : value)}
        />
      )}
      {control.kind === 'input' && control.suggestions && (
        <datalist id={`${id}-suggestions`}>
          {control.suggestions.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
      <FieldErrors id={`${id}-errors`} errors={errors} />
    </div>
  )
}

/** Beside the label, not in it: the input itself tells screen readers that it is required. */
function Mark({ schema, to }: { schema: FieldSchema | undefined; to?: Key | undefined }) {
  const { isRequired, isInferred, isReadOnly, default: byDefault } = schema ?? {}
  const texts = [
    ...(to === undefined ? [] : [`from ${to.resource}`]),
    ...(isReadOnly ? ['set by the server'] : isRequired && !isInferred ? ['required'] : []),
    ...(byDefault === undefined ? [] : [`default ${preview(byDefault)}`]),
  ]
  return texts.length === 0 ? null : (
    <span class="mark" aria-hidden="true">
      {texts.join(', ')}
    </span>
  )
}
