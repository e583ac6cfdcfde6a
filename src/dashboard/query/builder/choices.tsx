interface ChoicesProps {
  readonly title: string
  readonly names: readonly string[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** Checkboxes for a few names, such as the relations to include. */
export function Choices({ title, names, chosen, onChange }: ChoicesProps) {
  if (names.length === 0) return null
  return (
    <fieldset class="choices">
      <legend>{title}</legend>
      {names.map((name) => (
        <label key={name} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked ? [...chosen, name] : chosen.filter((other) => other !== name),
              )
            }
          />
          {name}
        </label>
      ))}
    </fieldset>
  )
}
