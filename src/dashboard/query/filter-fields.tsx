import { useEffect, useId, useRef } from 'preact/hooks'
import { type Filter, OPERATORS, type Operator } from '../api/query.ts'

interface FilterFieldsProps {
  readonly filter: Filter
  /** Suggestions; any other field may be typed. */
  readonly paths: readonly string[]
  readonly hasFocus?: boolean
  readonly onChange: (filter: Filter) => void
}

/** Field, comparison and value of one filter. */
export function FilterFields({ filter, paths, hasFocus = false, onChange }: FilterFieldsProps) {
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (hasFocus) field.current?.select()
  }, [hasFocus])

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
        {paths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      <select
        aria-label="Comparison"
        value={filter.operator}
        onChange={(event) => {
          const operator = OPERATOR_NAMES.find((name) => name === event.currentTarget.value)
          if (operator !== undefined) onChange({ ...filter, operator })
        }}
      >
        {OPERATOR_NAMES.map((name) => (
          <option key={name} value={name}>
            {OPERATORS[name]}
          </option>
        ))}
      </select>
      <input
        aria-label="Value"
        placeholder="value"
        value={filter.value}
        onInput={(event) => onChange({ ...filter, value: event.currentTarget.value })}
      />
    </>
  )
}

const OPERATOR_NAMES: readonly Operator[] = ['', '_ne', '_gte', '_lte', '_like']
