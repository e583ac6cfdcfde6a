import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './elements.tsx'

interface IconButtonProps {
  readonly icon: IconName
  readonly label: string
  readonly title?: string
  readonly isDisabled?: boolean
  readonly onClick: () => void
}

export function IconButton({ icon, label, title, isDisabled = false, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      class="quiet square"
      aria-label={label}
      title={title}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}

interface ConfirmButtonProps {
  readonly label: string
  readonly question: string
  readonly onConfirm: () => void
}

/** A button for what cannot be undone: it takes a second click. */
export function ConfirmButton({ label, question, onConfirm }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <button
      type="button"
      class={isAsking ? 'danger' : undefined}
      onBlur={() => setAsking(false)}
      onClick={() => {
        setAsking(!isAsking)
        if (isAsking) onConfirm()
      }}
    >
      {isAsking ? question : label}
    </button>
  )
}

interface SegmentsProps<Name extends string> {
  readonly label: string
  readonly options: Readonly<Record<Name, string>>
  readonly chosen: Name
  readonly onChoose: (name: Name) => void
}

/** Switches between a few ways to see the same thing. */
export function Segments<Name extends string>({ label, options, chosen, onChoose }: SegmentsProps<Name>) {
  const names = Object.keys(options) as Name[]
  return (
    <fieldset class="segments">
      <legend class="hidden">{label}</legend>
      {names.map((name) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {options[name]}
        </button>
      ))}
    </fieldset>
  )
}

interface SelectProps<Value extends string> {
  readonly label: string
  /** Otherwise, the label is for screen readers. */
  readonly isLabelShown?: boolean
  readonly class?: string
  readonly options: readonly (readonly [value: Value, title: string])[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** A drop-down list. It also offers the current value, if that is not one of the options. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, isLabelShown = false, class: kind, options, value, onChange } = props
  const id = useId()
  const isListed = options.some(([name]) => name === value)
  const shown = isListed ? options : [[value, value || '…'] as const, ...options]
  const select = (
    <select
      id={id}
      aria-label={isLabelShown ? undefined : label}
      class={isLabelShown ? undefined : kind}
      value={value}
      onChange={(event) => {
        const chosen = shown.find(([name]) => name === event.currentTarget.value)
        if (chosen) onChange(chosen[0])
      }}
    >
      {shown.map(([name, title]) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
  )
  if (!isLabelShown) return select
  return (
    <label for={id} class={kind}>
      {label} {select}
    </label>
  )
}

interface TextFieldProps {
  readonly label: string
  readonly class?: string
  readonly isNumber?: boolean
  readonly placeholder?: string
  readonly value: string
  readonly onInput: (text: string) => void
}

export function TextField({ label, class: kind, isNumber, onInput, ...rest }: TextFieldProps) {
  return (
    <label class={kind}>
      {label}
      <input
        {...rest}
        {...(isNumber && { type: 'number' as const, min: 0 })}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  )
}

interface CheckProps {
  readonly isOn: boolean
  readonly onToggle: () => void
  readonly children: ComponentChildren
}

export function Check({ isOn, onToggle, children }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={onToggle} />
      {children}
    </label>
  )
}

interface SearchInputProps {
  readonly label: string
  readonly placeholder?: string
  readonly initial?: string
  readonly onInput: (text: string) => void
}

const TYPED_INTO = 'input:not([type="checkbox"]), select, textarea'

/** The search of a view. `/` leads to it. */
export function SearchInput({ label, placeholder = label, initial = '', onInput }: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // The back button, or what clears all filters, changes it from outside.
    if (input.current && document.activeElement !== input.current) input.current.value = initial
  }, [initial])
  useEffect(() => {
    function focusSearch(event: KeyboardEvent): void {
      const isTyping = event.target instanceof Element && event.target.matches(TYPED_INTO)
      const isOther = isTyping || event.ctrlKey || event.metaKey || event.altKey
      if (event.key !== '/' || isOther || document.querySelector('dialog[open]')) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', focusSearch)
    return () => document.removeEventListener('keydown', focusSearch)
  }, [])
  return (
    <label class="search">
      <Icon name="search" />
      <span class="hidden">{label}</span>
      <input
        ref={input}
        type="search"
        title="Press / to search"
        aria-keyshortcuts="/"
        placeholder={placeholder}
        defaultValue={initial}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  )
}
