import { useEffect, useId, useRef } from 'preact/hooks'
import { type Filter, OPERATORS, operatorsFor, withOperator } from '../../api/operators.ts'
import type { Fields } from '../../data/fields.ts'
import { ValueInput } from './value-input.tsx'

interface FilterFieldsProps {
  readonly filter: Filter
  /** Suggestions; any other field may be typed. */
  readonly fields: Fields
  readonly hasFocus?: boolean
  readonly onChange: (filter: Filter) => void
}

/** Field, comparison and value of one filter. */
export function FilterFields({ filter, fields, hasFocus = false, onChange }: FilterFieldsProps) {
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (hasFocus) field.current?.select()
  }, [hasFocus])
  const kind = fields.get(filter.field) ?? 'mixed'
  const operators = operatorsFor(kind, filter.operator)

  return (
    <>
      <input
        ref={field}
        aria-label="Field"
        placeholder="field"
        list={list}
        value={filter.field}
        onInput={(event) => onChange({ ...filter, field: event.currentTarget.value.trim() })}
      />
      <datalist id={list}>
        {[...fields.keys()].map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
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
            {OPERATORS[name]}
          </option>
        ))}
      </select>
      <ValueInput filter={filter} kind={kind} onChange={(value) => onChange({ ...filter, value })} />
    </>
  )
}
