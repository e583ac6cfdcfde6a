import { useEffect, useId, useRef } from 'preact/hooks'
import { type Filter, labelOf, operatorsFor, withOperator } from '../client/operators.ts'
import type { Sort } from '../client/query.ts'
import type { Fields } from '../data/rows.ts'
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

interface SortFieldsProps {
  readonly sort: Sort
  readonly paths: readonly string[]
  readonly onChange: (sort: Sort) => void
}

/** Field and direction of one sort key. */
export function SortFields({ sort, paths, onChange }: SortFieldsProps) {
  return (
    <>
      <FieldInput
        label="Sort by"
        field={sort.field}
        paths={paths}
        onChange={(field) => onChange({ ...sort, field })}
      />
      <select
        class="choice"
        aria-label="Direction"
        value={sort.order}
        onChange={(event) =>
          onChange({ ...sort, order: event.currentTarget.value === 'desc' ? 'desc' : 'asc' })
        }
      >
        <option value="asc">ascending</option>
        <option value="desc">descending</option>
      </select>
    </>
  )
}

interface FieldInputProps {
  readonly label: string
  readonly placeholder?: string
  readonly field: string
  /** Suggestions; any other field may be typed. */
  readonly paths: readonly string[]
  readonly hasFocus?: boolean
  readonly onChange: (field: string) => void
}

/** The name of a field. */
export function FieldInput(props: FieldInputProps) {
  const { label, placeholder, field, paths, hasFocus = false, onChange } = props
  const list = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (hasFocus) input.current?.select()
  }, [hasFocus])
  return (
    <>
      <input
        ref={input}
        aria-label={label}
        placeholder={placeholder}
        list={list}
        value={field}
        onInput={(event) => onChange(event.currentTarget.value.trim())}
      />
      <datalist id={list}>
        {paths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </>
  )
}
