import type { FaultRuleInfo } from '../../catalogue/faults-info.ts'
import { Icon } from '../parts/icon.tsx'
import { describeMatch, describeOutcome, describeTerms } from './describe-rule.ts'
import { RuleSwitch } from './rule-switch.tsx'

interface RuleListProps {
  readonly rules: readonly FaultRuleInfo[]
  /** Sends a request about a rule; whether it succeeded. */
  readonly onChange: (method: string, id: number, body?: object) => Promise<boolean>
}

/** The rules in the order they are tried: each can be turned on and off, and removed. */
export function RuleList({ rules, onChange }: RuleListProps) {
  if (rules.length === 0) return <p class="hint">No rules: nothing fails on purpose.</p>
  return (
    <ol class="fault-rules">
      {rules.map((rule) => (
        <li key={rule.id} class={rule.on ? undefined : 'off'}>
          <RuleSwitch isOn={rule.on} onTurn={(on) => onChange('PATCH', rule.id, { on })}>
            <span>
              <code>{describeMatch(rule)}</code> → <strong>{describeOutcome(rule)}</strong>{' '}
              <span class="count">{describeTerms(rule)}</span>
            </span>
          </RuleSwitch>
          <span class="spring" />
          <span class="hits" title={`Rule ${rule.id} matched ${rule.matched} requests`}>
            {rule.hits} of {rule.matched}
          </span>
          <button
            type="button"
            class="quiet square"
            aria-label={`Remove rule ${rule.id}`}
            onClick={() => onChange('DELETE', rule.id)}
          >
            <Icon name="trash" />
          </button>
        </li>
      ))}
    </ol>
  )
}
