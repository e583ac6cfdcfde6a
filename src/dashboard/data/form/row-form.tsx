import type { FieldSchema } from '../../schema/field-schema.ts'
import { FieldInput } from './field-input.tsx'
import type { FormErrors } from './form-errors.ts'
import type { FormField } from './form-field.ts'

interface RowFormProps {
  readonly fields: readonly FormField[]
  readonly schemas: ReadonlyMap<string, FieldSchema>
  readonly errors: FormErrors['byField']
  readonly onChange: (field: FormField) => void
}

/** The fields of a row, each in a suitable input, with what is wrong below it. */
export function RowForm({ fields, schemas, errors, onChange }: RowFormProps) {
  return (
    <>
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          schema={schemas.get(field.name)}
          errors={errors.get(field.name) ?? []}
          onInput={(text) => onChange({ ...field, text })}
        />
      ))}
    </>
  )
}
