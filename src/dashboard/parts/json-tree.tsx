import { useState } from 'preact/hooks'
import { formatCount, shorten } from './format.ts'
import { LongText } from './long-text.tsx'
import { isNested, preview } from './preview.ts'

/** Members shown per step: nobody reads ten thousand at a time. */
const STEP = 100

/** A JSON value to explore: rendered level by level, so that size and depth do not matter. */
export function JsonTree({ value, depth = 1 }: { value: unknown; depth?: number }) {
  if (!isNested(value)) return <Scalar value={value} />
  return <Members value={value} depth={depth} />
}

function Members({ value, depth }: { value: object; depth: number }) {
  const [shown, show] = useState(STEP)
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
          <button type="button" class="link" onClick={() => show(shown + STEP)}>
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
