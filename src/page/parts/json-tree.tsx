import { useState } from 'preact/hooks'
import { formatCount, shorten } from './format.ts'
import { isNested, preview } from './json.ts'

const MEMBERS_PER_STEP = 100

/** A JSON value to explore: rendered level by level, so that size and depth do not matter. */
export function JsonTree({ value, depth = 1 }: { value: unknown; depth?: number }) {
  if (!isNested(value)) return <Scalar value={value} />
  return <Members value={value} depth={depth} />
}

function Members({ value, depth }: { value: object; depth: number }) {
  const [shown, show] = useState(MEMBERS_PER_STEP)
  const entries = Object.entries(value)
  if (entries.length === 0) return <span class="json-empty">{Array.isArray(value) ? '[ ]' : '{ }'}</span>
  return (
    <ul class="json">
      {entries.slice(0, shown).map(([name, member]: [string, unknown]) => (
        <li key={name}>
          <Member name={name} value={member} depth={depth - 1} isIndex={Array.isArray(value)} />
        </li>
      ))}
      {entries.length > shown && (
        <li>
          <button type="button" class="link" onClick={() => show(shown + MEMBERS_PER_STEP)}>
            Show more of {formatCount(entries.length)}
          </button>
        </li>
      )}
    </ul>
  )
}

interface MemberProps {
  readonly name: string
  readonly value: unknown
  readonly depth: number
  readonly isIndex: boolean
}

function Member({ name, value, depth, isIndex }: MemberProps) {
  const [isOpen, setOpen] = useState(depth > 0)
  const label = <span class={isIndex ? 'json-index' : 'json-name'}>{shorten(name, 200)}</span>
  if (!isNested(value) || Object.keys(value).length === 0) {
    return (
      <>
        {label} <JsonTree value={value} />
      </>
    )
  }
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label} <span class="json-preview">{preview(value)}</span>
      </summary>
      {isOpen && <JsonTree value={value} depth={depth} />}
    </details>
  )
}

function Scalar({ value }: { value: unknown }) {
  if (typeof value === 'string') {
    return (
      <span class="json-string">
        <LongText text={value} quoted />
      </span>
    )
  }
  return <span class={`json-${value === null ? 'null' : typeof value}`}>{String(value)}</span>
}

const SHORT_LENGTH = 300

/** A string of any length: the start of it, and the rest on request. */
export function LongText({ text, quoted = false }: { text: string; quoted?: boolean }) {
  const [isOpen, open] = useState(false)
  const mark = quoted ? '"' : ''
  if (text.length <= SHORT_LENGTH) return <span class="text">{`${mark}${text}${mark}`}</span>
  if (!isOpen) {
    return (
      <span class="text">
        {`${mark}${text.slice(0, SHORT_LENGTH)}…`}
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

const MOST_CHARACTERS = 50_000

/** Raw text, limited to what a browser renders without a pause. */
export function RawText({ text, label }: { text: string; label: string }) {
  const [shown, show] = useState(MOST_CHARACTERS)
  if (text === '') return <p class="hint">Empty</p>
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <section class="raw" aria-label={label} tabIndex={0}>
        <pre>{text.slice(0, shown)}</pre>
      </section>
      {text.length > shown && (
        <button type="button" class="link" onClick={() => show(shown * 4)}>
          Show more of {formatCount(text.length)} characters
        </button>
      )}
    </>
  )
}
