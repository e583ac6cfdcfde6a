import { useState } from 'preact/hooks'
import type { FaultRule } from '../../core/kernel/catalogue/faults-info.ts'
import { type ApiResponse, isOk, send } from '../client/send.ts'
import { Check, Select, TextField } from '../parts/controls.tsx'
import { Icon } from '../parts/elements.tsx'
import { Failure } from '../parts/failure.tsx'

const METHODS = ['', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((name) => [name, name || 'Any'] as const)

export const OUTCOMES = [
  ['status', 'A status'],
  ['delay', 'Only slow'],
  ['reset', 'Connection reset'],
  ['empty', 'Closed without a response'],
  ['hang', 'No response'],
  ['truncate', 'Half of the response'],
] as const

const NUMBERS = [
  ['rate', 'Percent', '100'],
  ['skip', 'Skip first', '0'],
  ['times', 'Max. failures', 'any'],
] as const

/** Adds a rule in front of the others. */
export function RuleForm({ onAdded }: { onAdded: () => void }) {
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const [failure, setFailure] = useState<ApiResponse>()
  const change = (part: Partial<RuleDraft>) => setDraft({ ...draft, ...part })

  async function add(event: Event): Promise<void> {
    event.preventDefault()
    const response = await send('POST', '/__faults', { body: JSON.stringify(ruleOf(draft)) })
    setFailure(isOk(response) ? undefined : response)
    if (isOk(response)) onAdded()
  }

  return (
    <form class="rule-form" onSubmit={add} noValidate>
      <fieldset>
        <legend>When a request matches</legend>
        <Select
          label="Method"
          isLabelShown
          options={METHODS}
          value={draft.method}
          onChange={(method) => change({ method })}
        />
        <TextField
          label="Path"
          placeholder="any, or /products/*"
          value={draft.path}
          onInput={(path) => change({ path })}
        />
      </fieldset>
      <fieldset>
        <legend>Respond with</legend>
        <Select
          label="What happens"
          isLabelShown
          options={OUTCOMES}
          value={draft.outcome}
          onChange={(outcome) => change({ outcome })}
        />
        {draft.outcome === 'status' && (
          <TextField label="Status" isNumber value={draft.status} onInput={(status) => change({ status })} />
        )}
        <TextField
          label="Delay in ms"
          placeholder="200-800"
          value={draft.delay}
          onInput={(delay) => change({ delay })}
        />
        {draft.outcome !== 'truncate' && (
          <Check isOn={draft.isAfter} onToggle={() => change({ isAfter: !draft.isAfter })}>
            Fail after saving
          </Check>
        )}
      </fieldset>
      <fieldset>
        <legend>How often</legend>
        {NUMBERS.map(([name, label, placeholder]) => (
          <TextField
            key={name}
            isNumber
            value={draft[name]}
            {...{ label, placeholder }}
            onInput={(text) => change({ [name]: text })}
          />
        ))}
      </fieldset>
      {failure && <Failure response={failure} />}
      <button type="submit" class="primary">
        <Icon name="plus" /> Add rule
      </button>
    </form>
  )
}

const EMPTY_DRAFT = {
  method: '',
  path: '',
  outcome: 'status' as (typeof OUTCOMES)[number][0],
  status: '503',
  delay: '',
  rate: '',
  skip: '',
  times: '',
  isAfter: false,
}

type RuleDraft = Readonly<typeof EMPTY_DRAFT>

/** The server validates the rule: unreadable input is sent as typed. */
function ruleOf(draft: RuleDraft): FaultRule {
  const { method, path, outcome, isAfter } = draft
  const match = { ...(method && { method }), ...(path && { path }) }
  return {
    ...(Object.keys(match).length > 0 && { match }),
    ...(draft.skip && { skip: Number(draft.skip) }),
    ...(draft.times && { times: Number(draft.times) }),
    ...(draft.rate && { rate: Number(draft.rate) / 100 }),
    ...(draft.delay && { delay: delayOf(draft.delay) }),
    ...(outcome === 'status' && { status: Number(draft.status) }),
    ...(outcome !== 'status' && outcome !== 'delay' && { fault: outcome }),
    ...(isAfter && outcome !== 'truncate' && { when: 'after' }),
  }
}

/** `200`, or a range: `200-800`. */
function delayOf(text: string): number | readonly [number, number] {
  const [least = '', most] = text.split(/\s*[-–]\s*/)
  return most === undefined ? Number(least) : [Number(least), Number(most)]
}
