import { useEffect, useState } from 'preact/hooks'
import { entryOf, type Filter, type Kind, readCsv, writeCsv } from '../client/operators.ts'

interface ValueInputProps {
  readonly filter: Filter
  readonly kind: Kind
  readonly onChange: (value: string) => void
}

/** Where the value of a filter is entered: one box, two, a list, or yes and no, as the comparison needs it. */
export function ValueInput({ filter, kind, onChange }: ValueInputProps) {
  const { operator, value } = filter
  const entry = entryOf(operator)
  if (entry === 'toggle') return <Choice options={{ true: 'yes', false: 'no' }} {...{ value, onChange }} />
  if (entry === 'list') return <ListInput {...{ value, onChange }} />
  if (entry === 'pair') return <Pair isNumber={kind === 'number'} {...{ value, onChange }} />
  const isBoolean = kind === 'boolean' && (operator === '' || operator === '_ne')
  if (isBoolean) return <Choice options={{ true: 'true', false: 'false' }} {...{ value, onChange }} />
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

interface InputProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

function Choice({
  options,
  value,
  onChange,
}: InputProps & { readonly options: Readonly<Record<string, string>> }) {
  return (
    <select aria-label="Value" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {!Object.hasOwn(options, value) && <option value={value}>{value || '…'}</option>}
      {Object.entries(options).map(([name, label]) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </select>
  )
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

interface ListInputProps {
  /** CSV. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A list of values, one per line, so that nobody has to quote a comma. */
export function ListInput({ value, onChange }: ListInputProps) {
  const [text, setText] = useState(linesOf(value))
  // What is being typed may end with an empty line, which the URL does not know.
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
