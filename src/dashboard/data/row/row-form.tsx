import { useId } from 'preact/hooks'
import { JsonEditor } from '../../parts/json-editor.tsx'
import type { FormField } from './form-field.ts'

interface RowFormProps {
  readonly fields: readonly FormField[]
  readonly onChange: (fields: readonly FormField[]) => void
}

/** The fields of a row, each in a suitable input. */
export function RowForm({ fields, onChange }: RowFormProps) {
  return (
    <>
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          onInput={(text) => onChange(fields.map((other) => (other === field ? { ...field, text } : other)))}
        />
      ))}
    </>
  )
}

function Field({ field, onInput }: { field: FormField; onInput: (text: string) => void }) {
  const id = useId()
  const { name, kind, text, isNull } = field
  if (kind === 'json') return <JsonEditor label={name} text={text} onInput={onInput} />
  if (kind === 'boolean') {
    return (
      <div class="field check">
        <input
          id={id}
          type="checkbox"
          checked={text === 'true'}
          onChange={(event) => onInput(String(event.currentTarget.checked))}
        />
        <label for={id}>{name}</label>
      </div>
    )
  }
  const isLong = text.length > 60 || text.includes('\n')
  const common = {
    id,
    placeholder: isNull ? 'null' : '',
    value: text,
    onInput: (event: Event & { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  }
  return (
    <div class="field">
      <label for={id}>{name}</label>
      {kind === 'number' && <input {...common} type="number" step="any" />}
      {kind === 'text' && !isLong && <input {...common} />}
      {kind === 'text' && isLong && <textarea {...common} rows={4} />}
    </div>
  )
}
