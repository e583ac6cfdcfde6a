import { useEffect, useState } from 'preact/hooks'
import { readCsv, writeCsv } from '../client/csv.ts'

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
