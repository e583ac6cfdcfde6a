import { useEffect, useId, useRef } from 'preact/hooks'

interface FieldInputProps {
  readonly label: string
  readonly placeholder?: string
  readonly field: string
  /** Suggestions; any other field may be typed. */
  readonly paths: readonly string[]
  readonly hasFocus?: boolean
  readonly onChange: (field: string) => void
}

/** The name of a field. */
export function FieldInput(props: FieldInputProps) {
  const { label, placeholder, field, paths, hasFocus = false, onChange } = props
  const list = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (hasFocus) input.current?.select()
  }, [hasFocus])
  return (
    <>
      <input
        ref={input}
        aria-label={label}
        placeholder={placeholder}
        list={list}
        value={field}
        onInput={(event) => onChange(event.currentTarget.value.trim())}
      />
      <datalist id={list}>
        {paths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </>
  )
}
