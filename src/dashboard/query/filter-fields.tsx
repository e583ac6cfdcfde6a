import { type Filter, labelOf, operatorsFor, withOperator } from '../client/operators.ts'
import type { Fields } from '../data/fields.ts'
import { FieldInput } from './field-input.tsx'
import { ValueInput } from './value-input.tsx'

interface FilterFieldsProps {
  readonly filter: Filter
  readonly fields: Fields
  readonly hasFocus?: boolean
  readonly onChange: (filter: Filter) => void
}

/** Field, comparison and value of one filter. */
export function FilterFields({ filter, fields, hasFocus = false, onChange }: FilterFieldsProps) {
  const kind = fields.get(filter.field) ?? 'mixed'
  const operators = operatorsFor(kind, filter.operator)

  return (
    <>
      <FieldInput
        label="Field"
        placeholder="field"
        field={filter.field}
        paths={[...fields.keys()]}
        hasFocus={hasFocus}
        onChange={(field) => onChange({ ...filter, field })}
      />
      <select
        class="choice"
        aria-label="Comparison"
        value={filter.operator}
        onChange={(event) => {
          const operator = operators.find((name) => name === event.currentTarget.value)
          if (operator !== undefined) onChange(withOperator(filter, operator))
        }}
      >
        {operators.map((name) => (
          <option key={name} value={name}>
            {labelOf(name)}
          </option>
        ))}
      </select>
      <ValueInput filter={filter} kind={kind} onChange={(value) => onChange({ ...filter, value })} />
    </>
  )
}
