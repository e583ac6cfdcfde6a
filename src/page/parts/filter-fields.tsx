import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import {
  entryOf,
  type Fields,
  type Filter,
  type Kind,
  labelOf,
  operatorsFor,
  readCsv,
  withField,
  withOperator,
  writeCsv,
} from '../client/operators.ts'
import type { Sort } from '../client/query.ts'
import { Select } from './controls.tsx'

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
  // Before the next key is pressed, which may be Escape.
  useLayoutEffect(() => {
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

interface ValueInputProps {
  readonly filter: Filter
  readonly kind: Kind
  readonly onChange: (value: string) => void
}

/** The value of a filter: one input, two, a list, or yes and no, as its operator requires. */
function ValueInput({ filter, kind, onChange }: ValueInputProps) {
  const { operator, value } = filter
  const entry = entryOf(operator)
  if (entry === 'toggle') return <Select label="Value" options={YES_NO} {...{ value, onChange }} />
  if (entry === 'list') return <ListInput {...{ value, onChange }} />
  if (entry === 'pair') return <Pair isNumber={kind === 'number'} {...{ value, onChange }} />
  const isBoolean = kind === 'boolean' && (operator === '' || operator === '_ne')
  if (isBoolean) return <Select label="Value" options={BOOLEANS} {...{ value, onChange }} />
  return (
    <input
      aria-label="Value"
      placeholder={operator === '_like' ? 'regular expression' : 'value'}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  )
}

const YES_NO = [
  ['true', 'yes'],
  ['false', 'no'],
] as const

const BOOLEANS = [
  ['true', 'true'],
  ['false', 'false'],
] as const

interface InputProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

function Pair({ value, isNumber, onChange }: InputProps & { readonly isNumber: boolean }) {
  const [from = '', to = ''] = readCsv(value)
  const ends = [from, to]
  return (
    <span class="two">
      {(['From', 'To'] as const).map((label, index) => (
        <input
          key={label}
          aria-label={label}
          placeholder={label.toLowerCase()}
          inputMode={isNumber ? 'decimal' : 'text'}
          value={ends[index]}
          onInput={(event) => onChange(writeCsv(ends.with(index, event.currentTarget.value)))}
        />
      ))}
    </span>
  )
}

/** A list of values (CSV), one per line: commas need no quotes. */
function ListInput({ value, onChange }: InputProps) {
  const [text, setText] = useState(linesOf(value))
  // The text may end with an empty line, which is not in the URL.
  useEffect(() => {
    if (csvOf(text) !== value) setText(linesOf(value))
  }, [value])

  return (
    <textarea
      aria-label="Values, one per line"
      placeholder="one per line"
      rows={Math.min(8, Math.max(2, text.split('\n').length))}
      spellcheck={false}
      value={text}
      onInput={(event) => {
        setText(event.currentTarget.value)
        onChange(csvOf(event.currentTarget.value))
      }}
    />
  )
}

function linesOf(csv: string): string {
  return readCsv(csv).join('\n')
}

function csvOf(text: string): string {
  return writeCsv(text.split('\n').filter((line) => line.trim() !== ''))
}
