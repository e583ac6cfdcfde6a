import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { FieldErrors } from './elements.tsx'
import { parseJson } from './json.ts'

interface JsonEditorProps {
  readonly label: string
  readonly text: string
  readonly rows?: number
  readonly isLabelHidden?: boolean
  readonly isDisabled?: boolean
  readonly isRequired?: boolean
  /** Nothing is not a syntax error. */
  readonly mayBeEmpty?: boolean
  readonly mark?: ComponentChildren
  readonly errors?: readonly string[]
  readonly onInput: (text: string) => void
}

/** A JSON field that points out the first syntax error while you type. */
export function JsonEditor({ label, text, onInput, errors = [], ...options }: JsonEditorProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const { fault } = options.mayBeEmpty && text === '' ? {} : parseJson(text)
  const told = [...(fault ? [`${id}-fault`] : []), ...(errors.length > 0 ? [`${id}-errors`] : [])]

  function jump(): void {
    if (fault === undefined || field.current === null) return
    field.current.focus()
    field.current.setSelectionRange(fault.at, Math.min(fault.at + 1, text.length))
  }

  return (
    <div class="field">
      <div class="field-head">
        <label for={id} class={options.isLabelHidden ? 'hidden' : undefined}>
          {label}
        </label>
        {options.mark}
      </div>
      <textarea
        id={id}
        ref={field}
        class="json-editor"
        rows={options.rows ?? 6}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        value={text}
        disabled={options.isDisabled ?? false}
        aria-required={options.isRequired}
        aria-invalid={told.length > 0}
        aria-describedby={told.length > 0 ? told.join(' ') : undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {fault && (
        <button type="button" class="fault" id={`${id}-fault`} onClick={jump}>
          Line {fault.line}, column {fault.column}: expected {fault.expected}
        </button>
      )}
      <FieldErrors id={`${id}-errors`} errors={errors} />
    </div>
  )
}
