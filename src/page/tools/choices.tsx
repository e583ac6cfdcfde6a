import { useState } from 'preact/hooks'
import type { Query, QueryProps } from '../client/query.ts'
import { resources } from '../client/service.ts'
import { Check, Segments, TextField } from '../parts/controls.tsx'
import { deeperThan, isAttached, MOST_LEVELS, type Step, toggleRelation } from './relations.ts'

/** The fields in the response: only these, or all but these. */
export function FieldChoices({ query, names, onChange }: QueryProps & { names: readonly string[] }) {
  const [mode, setMode] = useState<'fields' | 'omit'>(query.omit.length > 0 ? 'omit' : 'fields')
  const chosen = query[mode]
  const toggle = (name: string) => {
    const others = chosen.filter((other) => other !== name)
    onChange({ [mode]: others.length === chosen.length ? [...chosen, name] : others })
  }
  if (names.length === 0 && query.fields.length + query.omit.length === 0) return null
  return (
    <details class="fields">
      <summary>
        Fields <span class="count">{summaryOf(query)}</span>
      </summary>
      <Segments label="Ticked fields are" options={MODES} chosen={mode} onChoose={setMode} />
      <fieldset class="choices">
        <legend class="hidden">{MODES[mode]}</legend>
        {[...new Set([...names, ...chosen])].map((name) => (
          <Check key={name} isOn={chosen.includes(name)} onToggle={() => toggle(name)}>
            {name}
          </Check>
        ))}
      </fieldset>
    </details>
  )
}

const MODES = { fields: 'Show only', omit: 'Leave out' } as const

function summaryOf({ fields, omit }: Query): string {
  const shown = fields.length > 0 ? `only ${fields.length}` : 'all'
  return omit.length > 0 ? `${shown}, without ${omit.length}` : shown
}

interface RelationChoicesProps {
  readonly title: string
  readonly steps: readonly Step[]
  /** The names that lead here. */
  readonly above?: readonly string[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** The relations to include; one that is ticked offers its own. */
export function RelationChoices({ title, steps, above = [], chosen, onChange }: RelationChoicesProps) {
  if (steps.length === 0) return null
  return (
    <fieldset class="choices">
      <legend class={above.length > 0 ? 'hidden' : undefined}>{title}</legend>
      {steps.map((step) => {
        const names = [...above, step.name]
        const path = names.join('.')
        const isOn = isAttached(chosen, path)
        const deeper = isOn && names.length < MOST_LEVELS ? deeperThan(resources.value, step) : []
        return (
          <div key={step.name} class={deeper.length > 0 ? 'branch open' : 'branch'}>
            <Check isOn={isOn} onToggle={() => onChange(toggleRelation(chosen, path))}>
              {step.name}
            </Check>
            <RelationChoices
              title={`Relations of ${path}`}
              steps={deeper}
              above={names}
              chosen={chosen}
              onChange={onChange}
            />
          </div>
        )
      })}
    </fieldset>
  )
}

/** Which of the rows: a page of them, or a slice. */
export function WindowFields({ query, onChange }: QueryProps) {
  const isWrapped = query.perPage !== ''
  const size = isWrapped ? 'perPage' : 'limit'
  return (
    <fieldset class="pair">
      <legend>Page or slice</legend>
      {FIELDS.map(([label, name]) => {
        const key = name === 'limit' ? size : name
        return (
          <TextField
            key={name}
            label={label}
            isNumber
            value={query[key]}
            onInput={(text) => onChange({ [key]: text })}
          />
        )
      })}
      <Check
        isOn={isWrapped}
        onToggle={() =>
          onChange(
            isWrapped
              ? { perPage: '', limit: query.perPage }
              : { perPage: query.limit || '10', limit: '', start: '', end: '' },
          )
        }
      >
        Totals in the body, as in json-server 1.0
      </Check>
    </fieldset>
  )
}

const FIELDS = [
  ['Page', 'page'],
  ['Limit', 'limit'],
  ['Start', 'start'],
  ['End', 'end'],
] as const
