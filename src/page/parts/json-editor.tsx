import type { ComponentProps } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { parseJson } from './json.ts'

interface JsonEditorProps
  extends Pick<ComponentProps<'textarea'>, 'id' | 'disabled' | 'aria-label' | 'aria-required'> {
  readonly text: string
  readonly rows?: number
  /** An empty text is not a syntax error. */
  readonly mayBeEmpty?: boolean
  /** The id of the server's errors, if there are any. */
  readonly errorsId?: string | undefined
  readonly onInput: (text: string) => void
}

/** A JSON text, with its first syntax error while you type. */
export function JsonEditor(props: JsonEditorProps) {
  const { text, rows = 6, mayBeEmpty = false, errorsId, onInput, ...attributes } = props
  const faultId = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const { fault } = mayBeEmpty && text === '' ? {} : parseJson(text)
  const errorIds = [fault && faultId, errorsId].filter(Boolean).join(' ')

  function jump(): void {
    if (fault === undefined || field.current === null) return
    field.current.focus()
    field.current.setSelectionRange(fault.at, Math.min(fault.at + 1, text.length))
  }

  return (
    <>
      <textarea
        {...attributes}
        ref={field}
        class="json-editor"
        rows={rows}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        value={text}
        aria-invalid={errorIds !== ''}
        aria-describedby={errorIds || undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {fault && (
        <button type="button" class="fault" id={faultId} onClick={jump}>
          Line {fault.line}, column {fault.column}: expected {fault.expected}
        </button>
      )}
    </>
  )
}
