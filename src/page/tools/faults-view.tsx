import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { FaultDecision, FaultRule, FaultRuleInfo } from '../../core/kernel/catalogue/faults-info.ts'
import { FAULTS, isFaults, readFaults, rulesOn } from '../client/faults.ts'
import { exchanges } from '../client/live.ts'
import { type ApiResponse, isOk } from '../client/send.ts'
import { useActions } from '../client/use-response.ts'
import { Check, IconButton } from '../parts/controls.tsx'
import { Card, ColumnTitles, MethodBadge } from '../parts/elements.tsx'
import { Failure } from '../parts/failure.tsx'
import { formatClock, shorten } from '../parts/format.ts'
import { ClockCard } from './clock-card.tsx'
import { OUTCOMES, RuleForm } from './rule-form.tsx'

/** Requests that fail on purpose: the rules, their log, and the clock. */
export function FaultsView() {
  // The response to a change is shown until a later one arrives.
  const [changed, setChanged] = useState<{
    readonly response: ApiResponse
    readonly over: ApiResponse | undefined
  }>()
  // Rules do not apply to requests about the server, and this one would cause the next.
  const last = exchanges.value.findLast(({ path }) => !path.startsWith('/__'))
  const { response, failure, act, reload } = useActions(FAULTS, `${last?.id} ${rulesOn.value}`)
  const { data } = (changed && changed.over === response ? changed.response : response) ?? {}
  const info = isFaults(data) ? data : undefined
  useEffect(() => {
    if (info) readFaults(info)
  }, [info])

  async function change(method: string, path: string, body?: object): Promise<boolean> {
    const outcome = await act(method, path, body)
    if (isOk(outcome)) setChanged({ response: outcome, over: response })
    return isOk(outcome)
  }

  return (
    <main class="content service-view" id="content">
      <h1>Faults</h1>
      {response?.status === 404 && (
        <p class="hint">Off: the server was started with --no-faults, or does not have them.</p>
      )}
      {response && response.status !== 404 && !info && <Failure response={response} />}
      <div class="fault-cards">
        {info && (
          <Card title="New rule">
            <RuleForm onAdded={reload} />
          </Card>
        )}
        <div class="fault-side">
          {info && (
            <section class="card" aria-label="Rules">
              <div class="actions">
                <h2>Rules</h2>
                <span class="count">Seed {info.seed}</span>
                <span class="spring" />
                <button type="button" onClick={() => change('DELETE', FAULTS)}>
                  Reset rules
                </button>
              </div>
              {failure && <Failure response={failure} />}
              <RuleList
                rules={info.rules}
                onChange={(method, id, body) => change(method, `${FAULTS}/${id}`, body)}
              />
            </section>
          )}
          {info && (
            <Card title="Log">
              <DecisionLog decisions={info.decisions} />
            </Card>
          )}
          <ClockCard />
        </div>
      </div>
    </main>
  )
}

interface RuleListProps {
  readonly rules: readonly FaultRuleInfo[]
  readonly onChange: (method: string, id: number, body?: object) => Promise<boolean>
}

function RuleList({ rules, onChange }: RuleListProps) {
  if (rules.length === 0)
    return (
      <p class="hint">
        No rules: nothing fails on purpose. Each appears here, to switch it off and on, with how often it
        applied: POST /products → 503, 20 %, 3 of 15.
      </p>
    )
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
          <IconButton
            icon="trash"
            label={`Remove rule ${rule.id}`}
            onClick={() => onChange('DELETE', rule.id)}
          />
        </li>
      ))}
    </ol>
  )
}

interface RuleSwitchProps {
  readonly isOn: boolean
  readonly children: ComponentChildren
  /** Resolves to whether it succeeded. */
  readonly onTurn: (on: boolean) => Promise<boolean>
}

/** The checkbox of a rule. Shows what was clicked until the server's rules show it too, or the server refuses. */
function RuleSwitch({ isOn, children, onTurn }: RuleSwitchProps) {
  const [requested, setRequested] = useState<boolean>()
  useEffect(() => {
    if (requested === isOn) setRequested(undefined)
  }, [requested, isOn])

  async function turn(on: boolean): Promise<void> {
    setRequested(on)
    if (!(await onTurn(on))) setRequested(undefined)
  }

  const isShownOn = requested ?? isOn
  return (
    <Check isOn={isShownOn} onToggle={() => turn(!isShownOn)}>
      {children}
    </Check>
  )
}

function DecisionLog({ decisions }: { decisions: readonly FaultDecision[] }) {
  if (decisions.length === 0)
    return <p class="hint">Requests that a rule matches appear here, with what it did to them.</p>
  return (
    <div class="log-frame">
      <table class="grid">
        <ColumnTitles titles={['Time', 'Request', 'Rule', 'Outcome']} />
        <tbody>
          {decisions.toReversed().map(({ number, at, method, url, rule, outcome, fired, delay }) => (
            <tr key={number}>
              <td>{formatClock(at)}</td>
              <td class="path">
                <MethodBadge method={method} /> {shorten(url, 80)}
              </td>
              <td class="number">{rule}</td>
              <td>
                <span class={fired ? 'badge bad' : 'badge'}>{outcome}</span>
                {delay !== undefined && <span class="count"> {delay} ms</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** `POST /products` */
function describeMatch({ match = {} }: FaultRule): string {
  const methods = [match.method ?? 'any'].flat().join(', ')
  return `${methods} ${match.path ?? 'path'}`
}

/** `503, after saving` */
function describeOutcome({ status, fault, when }: FaultRule): string {
  const [, title = 'slow'] = OUTCOMES.find(([name]) => name === fault) ?? []
  const what = status === undefined ? title.toLowerCase() : String(status)
  return when === 'after' ? `${what}, after saving` : what
}

/** When it applies, in a few words; empty if always. */
function describeTerms({ rate = 1, skip = 0, times, delay }: FaultRule): string {
  return [
    rate < 1 && `${Number((rate * 100).toFixed(2))} %`,
    skip > 0 && `not the first ${skip}`,
    times !== undefined && (times === 1 ? 'once' : `${times} times`),
    delay !== undefined && `after ${[delay].flat().join('–')} ms`,
  ]
    .filter(Boolean)
    .join(' · ')
}
