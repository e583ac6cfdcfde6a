import { useState } from 'preact/hooks'
import type { Query } from '../client/query.ts'
import { Segments } from '../parts/segments.tsx'

interface FieldChoicesProps {
  readonly query: Query
  readonly names: readonly string[]
  readonly onChange: (next: Partial<Query>) => void
}

/** Which fields the response has: only these, or all but these. */
export function FieldChoices({ query, names, onChange }: FieldChoicesProps) {
  const [way, setWay] = useState<'fields' | 'omit'>(query.omit.length > 0 ? 'omit' : 'fields')
  const chosen = query[way]
  const toggle = (name: string) => {
    const others = chosen.filter((other) => other !== name)
    onChange({ [way]: others.length === chosen.length ? [...chosen, name] : others })
  }
  if (names.length === 0 && query.fields.length + query.omit.length === 0) return null
  return (
    <details class="fields">
      <summary>
        Fields <span class="count">{summaryOf(query)}</span>
      </summary>
      <Segments label="Ticked fields are" options={MODES} chosen={way} onChoose={setWay} />
      <fieldset class="choices">
        <legend class="hidden">{MODES[way]}</legend>
        {[...new Set([...names, ...chosen])].map((name) => (
          <label key={name} class="check">
            <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
            {name}
          </label>
        ))}
      </fieldset>
    </details>
  )
}

const MODES = { fields: 'Show only', omit: 'Leave out' } as const

function summaryOf({ fields, omit }: Query): string {
  const parts = [
    fields.length > 0 ? `only ${fields.length}` : 'all',
    ...(omit.length > 0 ? [`without ${omit.length}`] : []),
  ]
  return parts.join(', ')
}
