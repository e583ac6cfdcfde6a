import { resources } from '../client/service.ts'
import { deeperThan, isAttached, MOST_LEVELS, type Step, toggleRelation } from './relations.ts'

interface RelationChoicesProps {
  readonly title: string
  readonly steps: readonly Step[]
  /** Dotted paths. */
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** The relations to include; one that is ticked offers its own. */
export function RelationChoices({ title, steps, chosen, onChange }: RelationChoicesProps) {
  if (steps.length === 0) return null
  return (
    <fieldset class="choices">
      <legend>{title}</legend>
      <Branches
        steps={steps}
        above={[]}
        chosen={chosen}
        onToggle={(path) => onChange(toggleRelation(chosen, path))}
      />
    </fieldset>
  )
}

interface BranchesProps {
  readonly steps: readonly Step[]
  readonly above: readonly string[]
  readonly chosen: readonly string[]
  readonly onToggle: (path: string) => void
}

function Branches({ steps, above, chosen, onToggle }: BranchesProps) {
  return steps.map((step) => {
    const names = [...above, step.name]
    const path = names.join('.')
    const isOn = isAttached(chosen, path)
    const deeper = isOn && names.length < MOST_LEVELS ? deeperThan(resources.value, step) : []
    return (
      <div key={step.name} class={deeper.length > 0 ? 'branch open' : 'branch'}>
        <label class="check">
          <input type="checkbox" checked={isOn} onChange={() => onToggle(path)} />
          {step.name}
        </label>
        {deeper.length > 0 && (
          <fieldset class="choices">
            <legend class="hidden">Relations of {path}</legend>
            <Branches steps={deeper} above={names} chosen={chosen} onToggle={onToggle} />
          </fieldset>
        )}
      </div>
    )
  })
}
