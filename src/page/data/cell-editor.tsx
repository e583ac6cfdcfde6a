import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { FieldSchema } from '../client/field-schema.ts'
import { controlOf } from '../form/form-control.ts'
import { readField, toField } from '../form/form-fields.ts'
import { isNested, preview } from '../parts/json.ts'
import { notify } from '../parts/notices.tsx'

interface CellEditorProps {
  readonly column: string
  readonly value: unknown
  readonly schema: FieldSchema | undefined
  /** Undefined where it is the value that is there already. */
  readonly onSave: (change: { readonly value: unknown } | undefined) => void
  /** Edits the cell beside it; false if there is none. */
  readonly onNext: (isBack: boolean) => boolean
  readonly onClose: () => void
}

/** Whether a value is edited on one line. */
export function fitsCell(value: unknown): boolean {
  return !isNested(value) && !(typeof value === 'string' && /[\n\r]|.{500}/.test(value))
}

/** The input in place of a value: Enter and Tab save it, and Escape leaves it as it was. */
export function CellEditor({ column, value, schema, onSave, onNext, onClose }: CellEditorProps) {
  const first = toField(column, value ?? null, schema)
  const [text, setText] = useState(first.text)
  const [seen, setSeen] = useState(first.text)
  const input = useRef<HTMLInputElement & HTMLSelectElement>(null)
  const isOver = useRef(false)
  const control = controlOf({ ...first, text }, schema)
  const read = readField({ ...first, text })
  const fault = 'fault' in read ? read.fault : undefined
  // Before the next key is pressed, and again when the schema makes a list of choices of it.
  useLayoutEffect(() => {
    input.current?.focus()
    if (input.current instanceof HTMLInputElement) input.current.select()
  }, [control.kind])

  /** False if it cannot be saved yet. */
  function save(): boolean {
    if (isOver.current) return true
    if ('fault' in read || input.current?.validity.badInput) return false
    if (text !== seen && first.text !== seen) {
      setSeen(first.text)
      notify(`${column} was changed to ${preview(value)} elsewhere. Press Enter again to replace that.`, {
        tone: 'bad',
      })
      return false
    }
    isOver.current = true
    onSave(text === seen ? undefined : read)
    return true
  }

  /** Back to the cell, from where the arrow keys go on. */
  function leave(): void {
    input.current?.closest('td')?.focus()
    onClose()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      // It closes only this, not the panel.
      event.stopPropagation()
      isOver.current = true
      leave()
    } else if (event.key === 'Enter') {
      event.preventDefault()
      event.stopPropagation()
      if (save()) leave()
    } else if (event.key === 'Tab') {
      if (!save() || onNext(event.shiftKey)) event.preventDefault()
      else onClose()
    }
  }

  const common = {
    ref: input,
    class: 'cell-editor',
    'aria-label': column,
    'aria-invalid': fault !== undefined,
    title: fault && `${column} ${fault}`,
    value: text,
    onInput: (event: Event & { currentTarget: { value: string } }) => setText(event.currentTarget.value),
    onKeyDown,
    onBlur: () => {
      if (!save()) isOver.current = true
      onClose()
    },
  }
  if (control.kind === 'select' || control.kind === 'checkbox') {
    const options = control.kind === 'select' ? control.options.map((one) => one.value) : ['true', 'false']
    return (
      <select {...common}>
        {options.map((option) => (
          <option key={option} value={option}>
            {option === '' ? '—' : option}
          </option>
        ))}
      </select>
    )
  }
  const isNumber = control.kind === 'input' && control.type === 'number'
  return <input {...common} {...(isNumber && NUMBER)} placeholder={value === null ? 'null' : ''} />
}

const NUMBER = { type: 'number', step: 'any' } as const
