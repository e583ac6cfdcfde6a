interface SegmentsProps<Name extends string> {
  /** What the choice is about, for screen readers. */
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
