import { useState } from 'preact/hooks'
import { formatCount } from './format.ts'

/** Characters shown before "Show all". */
const SHORT = 300

/** A string of any length: the start of it, and the rest on request. */
export function LongText({ text, quoted = false }: { text: string; quoted?: boolean }) {
  const [isOpen, open] = useState(false)
  const mark = quoted ? '"' : ''
  if (text.length <= SHORT) return <span class="text">{`${mark}${text}${mark}`}</span>
  if (!isOpen) {
    return (
      <span class="text">
        {`${mark}${text.slice(0, SHORT)}…`}
        <button type="button" class="link" onClick={() => open(true)}>
          Show all {formatCount(text.length)} characters
        </button>
      </span>
    )
  }
  return (
    <span class="text">
      <textarea class="long-text" readOnly rows={10} aria-label="Full text" value={text} />
      <button type="button" class="link" onClick={() => open(false)}>
        Show less
      </button>
    </span>
  )
}
