import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { FaultDecision, FaultRule, FaultRuleInfo, FaultsInfo } from '../../catalogue/faults-info.ts'
import { isObject } from '../../json/record.ts'
import { exchanges } from '../client/live.ts'
import { type ApiResponse, isOk, send } from '../client/send.ts'
import { useResponse } from '../client/use-response.ts'
import { Card, ColumnTitles, Icon, MethodBadge } from '../parts/elements.tsx'
import { Failure } from '../parts/failure.tsx'
import { formatClock, shorten } from '../parts/format.ts'
import { ClockCard } from './clock-card.tsx'
import { RuleForm } from './rule-form.tsx'

const PATH = '/__faults'

/** Requests that fail on purpose: the rules, what they decided, and the clock. */
export function FaultsView() {
  const [turn, setTurn] = useState(0)
  const [failure, setFailure] = useState<ApiResponse>()
  // What a change of ours returned is shown until a later response is there.
  const [changed, setChanged] = useState<{
    readonly response: ApiResponse
    readonly over: ApiResponse | undefined
  }>()
  // Requests about the server itself are not judged, and this one would cause the next.
  const judged = exchanges.value.findLast(({ path }) => !path.startsWith('/__'))
  const response = useResponse(PATH, `${turn}.${judged?.id}`)
  const { data } = (changed && changed.over === response ? changed.response : response) ?? {}
  const info = isFaults(data) ? data : undefined

  async function act(method: string, path: string, body?: object): Promise<boolean> {
    const outcome = await send(method, path, body && { body: JSON.stringify(body) })
    setFailure(isOk(outcome) ? undefined : outcome)
    if (isOk(outcome)) setChanged({ response: outcome, over: response })
    setTurn((count) => count + 1)
    return isOk(outcome)
  }

  return (
    <main class="content service-view faults-view" id="content">
      <h1>Faults</h1>
      {response?.status === 404 && (
        <p class="hint">Off: the server was started with --no-faults, or does not have them.</p>
      )}
      {response && response.status !== 404 && !info && <Failure response={response} />}
      <div class="fault-cards">
        {info && (
          <Card title="New rule">
            <RuleForm onAdded={() => setTurn((count) => count + 1)} />
          </Card>
        )}
        <ClockCard />
        {info && (
          <section class="card" aria-label="Rules">
            <div class="actions">
              <h2>Rules</h2>
              <span class="count">Seed {info.seed}</span>
              <span class="spring" />
              <button type="button" onClick={() => act('DELETE', PATH)}>
                {info.isConfig ? 'Start again' : 'Back to the config'}
              </button>
            </div>
            {failure && <Failure response={failure} />}
            <RuleList
              rules={info.rules}
              onChange={(method, id, body) => act(method, `${PATH}/${id}`, body)}
            />
          </section>
        )}
        {info && (
          <Card title="Decisions">
            <DecisionLog decisions={info.decisions} />
          </Card>
        )}
      </div>
    </main>
  )
}

function isFaults(data: unknown): data is FaultsInfo {
  return isObject(data) && Array.isArray(data.rules) && Array.isArray(data.decisions)
}

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

interface RuleSwitchProps {
  readonly isOn: boolean
  /** What it turns on and off. */
  readonly children: ComponentChildren
  /** Whether that worked. */
  readonly onTurn: (on: boolean) => Promise<boolean>
}

/** The checkbox of a rule. Shows what was clicked until the server's rules show it too, or the server refuses. */
export function RuleSwitch({ isOn, children, onTurn }: RuleSwitchProps) {
  const [wanted, setWanted] = useState<boolean>()
  useEffect(() => {
    if (wanted === isOn) setWanted(undefined)
  }, [wanted, isOn])

  async function turn(on: boolean): Promise<void> {
    setWanted(on)
    if (!(await onTurn(on))) setWanted(undefined)
  }

  const isShownOn = wanted ?? isOn
  return (
    <label class="check">
      <input type="checkbox" checked={isShownOn} onChange={() => turn(!isShownOn)} />
      {children}
    </label>
  )
}

const TITLES = ['Time', 'Request', 'Rule', 'Drew', 'Outcome']

/** What the rules decided, newest first. */
export function DecisionLog({ decisions }: { decisions: readonly FaultDecision[] }) {
  if (decisions.length === 0) return <p class="hint">Requests that a rule matches appear here.</p>
  return (
    <div class="tape-frame">
      <table class="grid tape">
        <ColumnTitles titles={TITLES} />
        <tbody>
          {decisions.toReversed().map(({ number, at, method, url, rule, draw, outcome, fired, delay }) => (
            <tr key={number}>
              <td>{formatClock(at)}</td>
              <td class="path">
                <MethodBadge method={method} /> {shorten(url, 80)}
              </td>
              <td class="number">{rule}</td>
              <td class="number">{draw.toFixed(3)}</td>
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

const CONNECTIONS = {
  reset: 'connection reset',
  empty: 'closed without a response',
  hang: 'no response',
  truncate: 'half of the response',
} as const

/** `POST /products` */
export function describeMatch({ match = {} }: FaultRule): string {
  const methods = [match.method ?? 'any'].flat().join(', ')
  return `${methods} ${match.path ?? 'path'}`
}

/** `503, after the write` */
export function describeOutcome({ status, fault, when }: FaultRule): string {
  const what = status === undefined ? (fault ? CONNECTIONS[fault] : 'slow') : String(status)
  return when === 'after' ? `${what}, after the request ran` : what
}

/** When it applies, in a few words; empty if always. */
export function describeTerms({ rate = 1, skip = 0, times, delay }: FaultRule): string {
  return [
    rate < 1 && `${Number((rate * 100).toFixed(2))} %`,
    skip > 0 && `not the first ${skip}`,
    times !== undefined && (times === 1 ? 'once' : `${times} times`),
    delay !== undefined && `after ${[delay].flat().join('–')} ms`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** The path of a rule that matches exactly this one: some characters mean something in patterns. */
export function patternFor(path: string): string {
  const [plain = ''] = path.split('?', 1)
  return plain.replace(/[\\:*?+()[\]{}|^$]/g, '\\$&')
}
