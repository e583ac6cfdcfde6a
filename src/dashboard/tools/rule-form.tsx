import { useState } from 'preact/hooks'
import type { ConnectionFault, FaultRule } from '../../catalogue/faults-info.ts'
import { type ApiResponse, isOk, send } from '../client/send.ts'
import { Icon } from '../parts/elements.tsx'
import { Failure } from '../parts/failure.tsx'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const OUTCOMES = [
  ['status', 'A status'],
  ['delay', 'Only slow'],
  ['reset', 'Connection reset'],
  ['empty', 'Closed without a response'],
  ['hang', 'No response'],
  ['truncate', 'Half of the response'],
] as const

const NUMBERS = [
  ['rate', 'Of 100 requests', '100'],
  ['skip', 'Let pass first', '0'],
  ['times', 'At most times', 'any'],
] as const

/** A rule in a form; it is put in front of the others. */
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
      <label>
        Method
        <select value={draft.method} onChange={(event) => change({ method: event.currentTarget.value })}>
          <option value="">Any</option>
          {METHODS.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </select>
      </label>
      <label class="long">
        Path
        <input
          value={draft.path}
          placeholder="any, or /products/*"
          onInput={(event) => change({ path: event.currentTarget.value })}
        />
      </label>
      <label class="long">
        What happens
        <select
          value={draft.outcome}
          onChange={(event) => {
            const found = OUTCOMES.find(([name]) => name === event.currentTarget.value)
            if (found) change({ outcome: found[0] })
          }}
        >
          {OUTCOMES.map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {draft.outcome === 'status' && (
        <label>
          Status
          <input
            type="number"
            value={draft.status}
            onInput={(event) => change({ status: event.currentTarget.value })}
          />
        </label>
      )}
      <label>
        Delay in ms
        <input
          value={draft.delay}
          placeholder="200-800"
          onInput={(event) => change({ delay: event.currentTarget.value })}
        />
      </label>
      {NUMBERS.map(([name, title, placeholder]) => (
        <label key={name}>
          {title}
          <input
            type="number"
            min={0}
            value={draft[name]}
            placeholder={placeholder}
            onInput={(event) => change({ [name]: event.currentTarget.value })}
          />
        </label>
      ))}
      {draft.outcome !== 'truncate' && (
        <label class="check">
          <input
            type="checkbox"
            checked={draft.isAfter}
            onChange={() => change({ isAfter: !draft.isAfter })}
          />
          After the request ran
        </label>
      )}
      <button type="submit" class="primary">
        <Icon name="plus" /> Add rule
      </button>
      {failure && <Failure response={failure} />}
    </form>
  )
}

/** What the form holds, as typed. */
export interface RuleDraft {
  readonly method: string
  readonly path: string
  readonly outcome: 'status' | 'delay' | ConnectionFault
  readonly status: string
  /** `200`, or a range: `200-800`. */
  readonly delay: string
  /** In percent. */
  readonly rate: string
  readonly skip: string
  readonly times: string
  readonly isAfter: boolean
}

export const EMPTY_DRAFT: RuleDraft = {
  method: '',
  path: '',
  outcome: 'status',
  status: '503',
  delay: '',
  rate: '',
  skip: '',
  times: '',
  isAfter: false,
}

/** The rule of a draft. The server judges it; what cannot be read is sent as typed, so that it says so. */
export function ruleOf(draft: RuleDraft): FaultRule {
  const { method, path, outcome, isAfter } = draft
  const match = { ...(method && { method }), ...(path && { path }) }
  return {
    ...(Object.keys(match).length > 0 && { match }),
    ...numbers({ skip: draft.skip, times: draft.times }),
    ...(draft.rate && { rate: Number(draft.rate) / 100 }),
    ...(draft.delay && { delay: delayOf(draft.delay) }),
    ...(outcome === 'status' && { status: Number(draft.status) }),
    ...(outcome !== 'status' && outcome !== 'delay' && { fault: outcome }),
    ...(isAfter && outcome !== 'truncate' && { when: 'after' }),
  }
}

function numbers(texts: Readonly<Record<string, string>>): Record<string, number> {
  const given = Object.entries(texts).filter(([, text]) => text !== '')
  return Object.fromEntries(given.map(([name, text]) => [name, Number(text)]))
}

function delayOf(text: string): number | readonly [number, number] {
  const [least = '', most] = text.split(/\s*[-–]\s*/)
  return most === undefined ? Number(least) : [Number(least), Number(most)]
}
