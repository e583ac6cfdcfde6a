interface FieldProps {
  readonly label: string
  readonly name: string
  readonly isHidden?: boolean
  readonly value?: string | undefined
}

/** A line of a form that asks who somebody is. */
export function Field({ label, name, isHidden = false, value = '' }: FieldProps) {
  const common = {
    id: `sign-in-${name}`,
    name,
    defaultValue: value,
    required: true,
    autocomplete: 'off',
    spellcheck: false,
  } as const
  return (
    <div class="field">
      <label for={common.id}>{label}</label>
      {isHidden ? <input {...common} type="password" /> : <input {...common} />}
    </div>
  )
}
