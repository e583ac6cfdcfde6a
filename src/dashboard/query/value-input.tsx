import { useEffect, useState } from 'preact/hooks'
import { entryOf, type Filter, type Kind, readCsv, writeCsv } from '../client/operators.ts'
import { Select } from '../parts/controls.tsx'

interface ValueInputProps {
  readonly filter: Filter
  readonly kind: Kind
  readonly onChange: (value: string) => void
}

/** The value of a filter: one input, two, a list, or yes and no, as its operator requires. */
export function ValueInput({ filter, kind, onChange }: ValueInputProps) {
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
