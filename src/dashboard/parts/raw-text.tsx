import { useState } from 'preact/hooks'
import { formatCount } from './format.ts'

/** Characters shown before "Show more". */
const STEP = 50_000

/** Raw text, limited to what a browser renders without a pause. */
export function RawText({ text, label }: { text: string; label: string }) {
  const [shown, show] = useState(STEP)
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
