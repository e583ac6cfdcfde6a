import { useId, useRef } from 'preact/hooks'
import { parseJson, positionOf } from './parse-json.ts'

interface JsonEditorProps {
  readonly label: string
  readonly text: string
  readonly rows?: number
  readonly isLabelHidden?: boolean
  readonly onInput: (text: string) => void
}

/** A JSON field that points out the first syntax error while you type. */
export function JsonEditor({ label, text, rows = 6, isLabelHidden = false, onInput }: JsonEditorProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const { fault } = parseJson(text)

  function jump(): void {
    if (fault === undefined || field.current === null) return
    const at = positionOf(text, fault)
    field.current.focus()
    field.current.setSelectionRange(at, Math.min(at + 1, text.length))
  }

  return (
    <div class="field">
      <label for={id} class={isLabelHidden ? 'hidden' : undefined}>
        {label}
      </label>
      <textarea
        id={id}
        ref={field}
        class="json-editor"
        rows={rows}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        value={text}
        aria-invalid={fault !== undefined}
        aria-describedby={fault && `${id}-fault`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {fault && (
        <button type="button" class="fault" id={`${id}-fault`} onClick={jump}>
          Line {fault.line}, column {fault.column}: expected {fault.expected}
        </button>
      )}
    </div>
  )
}
