import { useEffect, useId, useRef } from 'preact/hooks'
import { type Filter, labelOf, operatorsFor, withField, withOperator } from '../client/operators.ts'
import type { Sort } from '../client/query.ts'
import type { Fields } from '../data/rows.ts'
import { Select } from '../parts/controls.tsx'
import { ValueInput } from './value-input.tsx'

interface FilterFieldsProps {
  readonly filter: Filter
  readonly fields: Fields
  readonly hasFocus?: boolean
  readonly onChange: (filter: Filter) => void
}

export function FilterFields({ filter, fields, hasFocus = false, onChange }: FilterFieldsProps) {
  const kind = fields.get(filter.field) ?? 'mixed'
  return (
    <>
      <FieldInput
        label="Field"
        placeholder="field"
        field={filter.field}
        paths={[...fields.keys()]}
        hasFocus={hasFocus}
        onChange={(field) => onChange(withField(filter, field, fields.get(field)))}
      />
      <Select
        label="Comparison"
        class="choice"
        options={operatorsFor(kind, filter.operator).map((name) => [name, labelOf(name)])}
        value={filter.operator}
        onChange={(operator) => onChange(withOperator(filter, operator))}
      />
      <ValueInput filter={filter} kind={kind} onChange={(value) => onChange({ ...filter, value })} />
    </>
  )
}

interface SortFieldsProps {
  readonly sort: Sort
  readonly paths: readonly string[]
  readonly onChange: (sort: Sort) => void
}

export function SortFields({ sort, paths, onChange }: SortFieldsProps) {
  return (
    <>
      <FieldInput
        label="Sort by"
        field={sort.field}
        paths={paths}
        onChange={(field) => onChange({ ...sort, field })}
      />
      <Select
        label="Direction"
        class="choice"
        options={[
          ['asc', 'ascending'],
          ['desc', 'descending'],
        ]}
        value={sort.order}
        onChange={(order) => onChange({ ...sort, order })}
      />
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

function FieldInput(props: FieldInputProps) {
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
