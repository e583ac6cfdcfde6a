import { useState } from 'preact/hooks'
import type { Query } from '../../api/query.ts'
import { Segments } from '../../parts/segments.tsx'
import { Choices } from './choices.tsx'

interface FieldChoicesProps {
  readonly query: Query
  readonly names: readonly string[]
  readonly onChange: (next: Partial<Query>) => void
}

/** Which fields the answer has: only these, or all but these. */
export function FieldChoices({ query, names, onChange }: FieldChoicesProps) {
  const [way, setWay] = useState<'fields' | 'omit'>(query.omit.length > 0 ? 'omit' : 'fields')
  const chosen = query[way]
  if (names.length === 0 && query.fields.length + query.omit.length === 0) return null
  return (
    <details class="fields">
      <summary>
        Fields <span class="count">{summaryOf(query)}</span>
      </summary>
      <Segments
        label="Ticked fields are"
        options={{ fields: 'Show only', omit: 'Leave out' }}
        chosen={way}
        onChoose={setWay}
      />
      <Choices
        title={way === 'fields' ? 'Show only' : 'Leave out'}
        names={[...new Set([...names, ...chosen])]}
        chosen={chosen}
        onChange={(next) => onChange({ [way]: next })}
      />
    </details>
  )
}

function summaryOf({ fields, omit }: Query): string {
  const parts = [
    fields.length > 0 ? `only ${fields.length}` : 'all',
    ...(omit.length > 0 ? [`without ${omit.length}`] : []),
  ]
  return parts.join(', ')
}
